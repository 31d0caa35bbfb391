/**
 * Prompt of the host, sent once per channel ever, that asks a new member agent to introduce itself (spec
 * §6.6). It never leaves this computer, and no server can send one.
 */
import type { ChannelId, SpaceId } from '../../contract/room-id.ts';
import { toHex, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine } from '../ports.ts';
import type { AcceptRow } from '../puffo/account-store.ts';
import { localEnvelopePrefix } from '../puffo/ids.ts';
import { priorityOf } from './priority.ts';
import { systemMessageToken } from './redaction.ts';

/** Sender of host prompts; no server slug matches, because those have a suffix. */
export const systemSlug = 'system';

const promptText = `${systemMessageToken} You have just become a member of this channel. Introduce yourself to the people here in \
one or two sentences: who you are and what you can help with. Do it once, mention nobody, and promise nothing. If your \
role says that you should not speak up here, write [SILENT].`;

/** Deterministic per channel, so the store refuses a repeated prompt. */
const promptId = (crypto: Pick<CryptoEngine, 'sha256'>, slug: string, channelId: string): string =>
  localEnvelopePrefix + toHex(crypto.sha256(utf8(`introduction\0${slug}\0${channelId}`))).slice(0, 32);

/** `at`: ms since the epoch. Its own id is its root, so it never appears among the roots of the channel. */
export function introductionPrompt(
  crypto: Pick<CryptoEngine, 'sha256'>,
  slug: string,
  {
    spaceId,
    channelId,
    at,
  }: { readonly spaceId: SpaceId; readonly channelId: ChannelId; readonly at: number },
): AcceptRow {
  const envelopeId = promptId(crypto, slug, channelId);
  return {
    message: {
      envelopeId,
      kind: 'channel',
      roomId: channelId,
      senderSlug: systemSlug,
      spaceId,
      channelId,
      recipientSlug: null,
      contentType: 'text/plain',
      content: promptText,
      sentAt: at,
      receivedAt: at,
      threadRootId: envelopeId,
      replyToId: null,
      visible: false,
      encrypted: true,
    },
    decision: {
      react: true,
      reason: 'introduction',
      priority: priorityOf({ direct: false, senderIsBot: false, system: true }),
    },
  };
}
