/**
 * Sample stored messages: by default a plain one in channel `ch_1` of space `sp_1`; tests override fields.
 */
import type { StoredMessage } from '../../src/core/puffo/stored-message.ts';

export function sampleMessage(change: Partial<StoredMessage> = {}): StoredMessage {
  const id = change.envelopeId ?? 'msg_1';
  return {
    envelopeId: id,
    kind: 'channel',
    roomId: 'ch_1',
    senderSlug: 'alice-a62c',
    spaceId: 'sp_1',
    channelId: 'ch_1',
    recipientSlug: null,
    contentType: 'text/plain',
    content: 'hello',
    sentAt: 1_778_790_000_000,
    receivedAt: 1_778_790_000_100,
    threadRootId: null,
    replyToId: null,
    visible: true,
    encrypted: true,
    ...change,
  };
}

export function sampleDm(change: Partial<StoredMessage> = {}): StoredMessage {
  return sampleMessage({
    kind: 'dm',
    roomId: `dm:${change.senderSlug ?? 'alice-a62c'}`,
    spaceId: null,
    channelId: null,
    recipientSlug: 'helper-9a7c',
    ...change,
  });
}
