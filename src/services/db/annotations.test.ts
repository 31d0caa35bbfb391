import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { OutboxDraft, StoredMessage } from '../../core/puffo/stored-message.ts';
import { openAccountStore } from './account-store.ts';

const slug = 'ana-2b1c';
let folder: string;
eachTestInFolder('kennel-annotations-', (made) => {
  folder = made;
});

const open = (): AccountStore =>
  openAccountStore({
    path: join(folder, 'messages.db'),
    key: new Uint8Array(32).fill(7),
    slug,
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });

const row = (change: Partial<StoredMessage>) => ({
  message: sampleMessage({ threadRootId: null, ...change }),
  decision: { react: false, reason: 'not_mentioned', priority: 3 } as const,
});
const three = [
  row({ envelopeId: 'msg_1', content: 'first', sentAt: 1 }),
  row({ envelopeId: 'msg_2', content: 'second, secret', sentAt: 2 }),
  row({ envelopeId: 'msg_3', content: 'third, secret', sentAt: 3 }),
];
const room = three[0]?.message.roomId ?? '';

function found(store: AccountStore, words: string): readonly string[] {
  while (store.search.catchUp());
  return store.search.find({ words, limit: 50 })?.messages.map(({ envelopeId }) => envelopeId) ?? [];
}
const shown = (store: AccountStore): readonly string[] =>
  store.history({ roomId: room, limit: 50 }).messages.map(({ envelopeId }) => envelopeId);

const stores = [
  ['SQLite', open],
  ['memory', () => createMemoryAccountStore(slug)],
] as const;

describe.each(stores)('Annotations in %s', (_name, create) => {
  it('keep reactions and pins by room, newest pin first, and nothing for a message without any', () => {
    const store = create();
    store.accept(three);
    store.annotations.setReactions('msg_1', ['👍', '🎉']);
    store.annotations.setPinned('msg_1', 10);
    store.annotations.setPinned('msg_2', 20);
    expect(store.annotations.pinned(room).map(({ content }) => content)).toEqual(['second, secret', 'first']);
    expect(Object.fromEntries(store.annotations.inRoom(room))).toEqual({
      msg_1: { reactions: ['👍', '🎉'], pinnedAt: 10, deleted: false },
      msg_2: { reactions: [], pinnedAt: 20, deleted: false },
    });
    expect(store.annotations.inRoom('ch_other').size).toBe(0);
    store.annotations.setReactions('msg_1', []);
    store.annotations.setPinned('msg_1', null);
    expect(store.annotations.of('msg_1')).toBeNull();
  });

  it('delete text, search entry and preview of a message, which is not accepted again', () => {
    const store = create();
    store.accept(three);
    expect(found(store, 'secret')).toEqual(['msg_3', 'msg_2']);
    store.annotations.setPinned('msg_3', 10);
    store.annotations.deleteMessage('msg_3', 11);
    expect(found(store, 'secret')).toEqual(['msg_2']);
    expect(shown(store)).toEqual(['msg_1', 'msg_2']);
    expect(store.rooms()[0]?.lastText).toContain('second');
    expect(store.message('msg_3')?.content).toBe('');
    expect(store.annotations.pinned(room)).toEqual([]);
    expect(store.accept(three)).toEqual([]);
    expect(found(store, 'secret')).toEqual(['msg_2']);
    store.accept([row({ envelopeId: 'msg_4', content: 'secret four', sentAt: 4 })]);
    expect(found(store, 'secret')).toEqual(['msg_4', 'msg_2']);
  });

  it('keep the place of a deleted root while its thread has replies', () => {
    const store = create();
    const reply = row({ envelopeId: 'msg_5', content: 'reply', sentAt: 5, threadRootId: 'msg_1' });
    store.accept([...three, reply]);
    store.annotations.deleteMessage('msg_1', 9);
    expect(shown(store)).toContain('msg_1');
    expect(store.thread('msg_1', 10).map(({ content }) => content)).toEqual(['', 'reply']);
    store.annotations.deleteMessage('msg_5', 9);
    expect(shown(store)).toEqual(['msg_2', 'msg_3']);
  });

  it('delete an own message together with its row in the outbox', () => {
    const store = create();
    const draft: OutboxDraft = {
      envelopeId: 'msg_own',
      kind: 'channel',
      spaceId: three[0]?.message.spaceId ?? null,
      channelId: three[0]?.message.channelId ?? null,
      recipientSlug: null,
      threadRootId: null,
      contentType: 'text/plain',
      content: 'my secret',
      visible: true,
      createdAt: 50,
    };
    store.enqueue(draft, slug);
    store.outboxSettled('msg_own', 'failed', 'no');
    store.annotations.deleteMessage('msg_own', 60);
    expect(store.outbox('msg_own')).toBeNull();
    expect(found(store, 'secret')).toEqual([]);
  });
});

it('A deleted message stays empty after the store was opened again', () => {
  const store = open();
  store.accept(three);
  while (store.search.catchUp());
  store.annotations.deleteMessage('msg_2', 9);
  store.release();
  const again = open();
  expect(found(again, 'second')).toEqual([]);
  expect(again.message('msg_2')?.content).toBe('');
  expect(again.annotations.of('msg_2')).toEqual({ reactions: [], pinnedAt: null, deleted: true });
});
