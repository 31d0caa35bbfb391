import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleDm } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { OutboxDraft, StoredMessage } from '../../core/puffo/stored-message.ts';
import { accountSchema } from './account-schema.ts';
import { openAccountStore } from './account-store.ts';
import { openDatabase } from './binding.ts';
import { migrate } from './migrate.ts';

const key = new Uint8Array(32).fill(5);
const first = 'dm:alice-a62c~cv_aaaaaaaaaaaa';
const second = 'dm:alice-a62c~cv_bbbbbbbbbbbb';
const main = 'dm:alice-a62c';
const decision = { react: false, reason: 'dm', priority: 1 } as const;

let folder: string;
let store: AccountStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-conversations-'));
  store = open(folder);
});
afterEach(() => {
  store.release();
  rmSync(folder, { recursive: true, force: true });
});

function open(where: string): AccountStore {
  const clock = createVirtualClock();
  const log = createRecordingLog();
  return openAccountStore({
    path: path.join(where, 'messages.db'),
    slug: 'helper-9a7c',
    key,
    clock,
    log,
  });
}

const message = (change: Partial<StoredMessage>): StoredMessage =>
  sampleDm({ senderSlug: 'alice-a62c', recipientSlug: 'helper-9a7c', roomId: main, ...change });
const accept = (change: Partial<StoredMessage>): StoredMessage | undefined =>
  store.accept([{ message: message(change), decision }])[0];
const draft = (change: Partial<OutboxDraft>): OutboxDraft => ({
  envelopeId: 'msg_own',
  kind: 'dm',
  spaceId: null,
  channelId: null,
  recipientSlug: 'alice-a62c',
  threadRootId: null,
  contentType: 'text/plain',
  content: 'mine',
  visible: true,
  createdAt: 5_000,
  ...change,
});
const texts = (roomId: string) => store.history({ roomId, limit: 50 }).messages.map(({ content }) => content);

it('A message is kept in the conversation it names; unread counts are separate', () => {
  accept({ envelopeId: 'm1', content: 'in main' });
  accept({ envelopeId: 'm2', roomId: first, content: 'in the first' });
  expect(texts(main)).toEqual(['in main']);
  expect(texts(first)).toEqual(['in the first']);
  store.markRead(main);
  expect(store.rooms().map(({ roomId, unread }) => [roomId, unread])).toEqual(
    expect.arrayContaining([
      [main, 0],
      [first, 1],
    ]),
  );
});

it('An answer that names no conversation belongs to that of the message it answers, in the same batch too', () => {
  const rows = [
    { message: message({ envelopeId: 'm1', roomId: first, content: 'question' }), decision },
    { message: message({ envelopeId: 'm2', threadRootId: 'm1', content: 'answer' }), decision },
  ];
  expect(store.accept(rows).map(({ roomId }) => roomId)).toEqual([first, first]);
  expect(accept({ envelopeId: 'm3', replyToId: 'm2', content: 'reply' })?.roomId).toBe(first);
  expect(accept({ envelopeId: 'm4', content: 'anything else' })?.roomId).toBe(main);
});

it('T6: An answer cannot move into the conversation of another person', () => {
  accept({ envelopeId: 'm1', roomId: 'dm:bob-0001~cv_aaaaaaaaaaaa', senderSlug: 'bob-0001' });
  expect(accept({ envelopeId: 'm2', threadRootId: 'm1' })?.roomId).toBe(main);
});

it('F10: A redelivered message stays in its conversation', () => {
  accept({ envelopeId: 'm1', roomId: first, content: 'once' });
  expect(accept({ envelopeId: 'm1', content: 'once' })).toBeUndefined();
  expect(texts(first)).toEqual(['once']);
});

it('An own message keeps its conversation in outbox and history, also after a restart', () => {
  store.enqueue(draft({ conversationId: 'cv_aaaaaaaaaaaa' }), 'helper-9a7c');
  store.release();
  store = open(folder);
  expect(store.outbox('msg_own')?.conversationId).toBe('cv_aaaaaaaaaaaa');
  expect(texts(first)).toEqual(['mine']);
  expect(store.queries.hasFrom(main, 'helper-9a7c')).toBe(true);
  expect(store.queries.hasFrom('dm:bob-0001', 'helper-9a7c')).toBe(false);
});

it('A conversation is named by its first message or its owner, and leaves the archive with a new message', () => {
  const find = (roomId: string) => store.conversations.list().find((one) => one.roomId === roomId);
  store.conversations.start(first, '', 1);
  accept({ envelopeId: 'm1', roomId: first, content: 'plan the trip' });
  accept({ envelopeId: 'm2', roomId: first, content: 'second message' });
  expect(find(first)).toMatchObject({ title: '', firstText: 'plan the trip', archived: false });
  store.conversations.rename(first, 'Trip', 2);
  store.conversations.setArchived(first, 3);
  expect(find(first)).toMatchObject({ title: 'Trip', archived: true });
  accept({ envelopeId: 'm3', roomId: first, content: 'news' });
  expect(find(first)?.archived).toBe(false);
});

it('Deleting a conversation removes its messages here and leaves the others', () => {
  accept({ envelopeId: 'm1', roomId: first, content: 'swordfish' });
  accept({ envelopeId: 'm2', roomId: second, content: 'kept' });
  store.conversations.remove(first, 9);
  expect(texts(first)).toEqual([]);
  expect(texts(second)).toEqual(['kept']);
  expect(store.conversations.list().map(({ roomId }) => roomId)).toEqual([second]);
  expect(store.rooms().map(({ roomId }) => roomId)).toEqual([second]);
  expect(accept({ envelopeId: 'm1', roomId: first, content: 'swordfish' })).toBeUndefined();
});

it('T27: Another person starts at most 500 conversations; further ones are stored in the main one', () => {
  const rows = Array.from({ length: 501 }, (_, n) => ({
    message: message({ envelopeId: `m${n}`, roomId: `dm:alice-a62c~cv_${String(n).padStart(8, '0')}` }),
    decision,
  }));
  const rooms = store.accept(rows).map(({ roomId }) => roomId);
  expect(rooms.filter((roomId) => roomId === main)).toHaveLength(1);
  expect(store.conversations.list()).toHaveLength(500);
});

it('F24: A store of the schema before conversations keeps its messages in the main conversation', () => {
  const older = path.join(folder, 'older');
  mkdirSync(older);
  const file = path.join(older, 'messages.db');
  const db = openDatabase(file, { key });
  migrate(db, accountSchema.slice(0, -1));
  db.exec(`INSERT INTO outbox (envelope_id, kind, recipient_slug, content_type, content, content_json, visible, created_at)
    VALUES ('msg_old', 'dm', 'alice-a62c', 'text/plain', 'old', 0, 1, 1)`);
  db.close();
  store.release();
  store = open(older);
  expect(store.outbox('msg_old')).toMatchObject({ content: 'old', conversationId: null });
  expect(store.conversations.list()).toEqual([]);
  accept({ envelopeId: 'm1', content: 'still here' });
  expect(texts(main)).toEqual(['still here']);
});
