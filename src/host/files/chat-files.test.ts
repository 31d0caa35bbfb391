import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm } from '../../../test/fakes/message-samples.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import { attachmentsOf, attachmentsType, contentWithFiles } from '../../core/puffo/message-files.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { MessagingPort } from '../../core/tools/chat-ports.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { createOutgoingFiles } from '../../services/files/outgoing-files.ts';
import { createChatFiles } from './chat-files.ts';

let folder = '';
eachTestInFolder('kennel-chat-files-', (made) => {
  folder = made;
});

function rig() {
  const store = createMemoryAccountStore('guide-1');
  const outgoing = createOutgoingFiles({ folder, crypto: createNobleEngine(), random: createSystemRandom() });
  const fetched: string[] = [];
  const send: MessagingPort['send'] = async ({ callId, text, files = [] }) => {
    store.enqueue(
      {
        envelopeId: callId,
        kind: 'dm',
        spaceId: null,
        channelId: null,
        recipientSlug: 'ada-1',
        threadRootId: null,
        visible: true,
        createdAt: 1,
        ...contentWithFiles(text, files),
      },
      'guide-1',
    );
    return ok({ messageId: callId });
  };
  const intake = {
    fetch: async ({ envelopeId }: StoredMessage) => {
      fetched.push(envelopeId);
      return [];
    },
  };
  const chat = createChatFiles({ send, store, files: { outgoing, intake } });
  return { store, chat, fetched };
}

const message = { turnId: 't', callId: 'c1', channel: '@ada-1', text: 'look', visible: true, rootId: '' };
const file = (filename: string, text: string) => ({
  filename,
  mimeType: 'text/plain',
  read: async () => ok(Buffer.from(text)),
});

it('A repeated send with files creates one message and leaves no extra files (I2, F1)', async () => {
  const { store, chat } = rig();
  const files = [file('a.txt', 'a'), file('b.txt', '')];
  expect(await chat.sendFiles({ ...message, files })).toEqual(ok({ messageId: 'c1' }));
  const row = store.outbox('c1');
  const waiting = readdirSync(folder).toSorted();
  expect(waiting).toHaveLength(2);
  expect(await chat.sendFiles({ ...message, files })).toEqual(ok({ messageId: 'c1' }));
  expect(store.outbox('c1')).toEqual(row);
  await expect.poll(() => readdirSync(folder).toSorted()).toEqual(waiting);
  expect(row && attachmentsOf(row).map((meta) => meta?.filename)).toEqual(['a.txt', 'b.txt']);
});

it('An unreadable file cancels the send and leaves no files', async () => {
  const { store, chat } = rig();
  const gone = { ...file('b.txt', ''), read: async () => err(textError('not_found', 'It is gone.')) };
  const sent = await chat.sendFiles({ ...message, files: [file('a.txt', 'a'), gone] });
  expect(sent).toMatchObject({ error: { message: 'It is gone.' } });
  expect(store.outbox('c1')).toBe(null);
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});

it('Files of the latest messages are fetched oldest first, up to the limit', async () => {
  const { store, chat, fetched } = rig();
  const decision = { react: false, reason: 'own', priority: 3 } as const;
  const messages = Array.from({ length: 6 }, (_, n): StoredMessage => {
    const attachments = n % 2 === 0 ? [{ filename: 'a' }, { filename: 'b' }] : [];
    const content = { text: '', attachments };
    return { ...sampleDm(), envelopeId: `msg_${n}`, sentAt: n, contentType: attachmentsType, content };
  });
  store.accept(messages.map((one) => ({ message: one, decision })));
  const room = `@${messages[0]?.roomId.slice('dm:'.length)}`;
  const found = await chat.fetchFiles(room, 3, new AbortController().signal);
  expect(fetched).toEqual(['msg_2', 'msg_4']);
  expect(found.ok && found.value.map(({ messageId }) => messageId)).toEqual(fetched);
});
