import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { openAccountStore } from './account-store.ts';
import { openDatabase } from './binding.ts';

let folder: string;
eachTestInFolder('kennel-search-', (made) => {
  folder = made;
});

const slug = 'helper-9a7c';
const open = (): AccountStore =>
  openAccountStore({
    path: join(folder, 'messages.db'),
    key: new Uint8Array(32).fill(7),
    slug,
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });
const row = (message: StoredMessage) => ({
  message,
  decision: { react: false, reason: 'not_mentioned', priority: 3 } as const,
});
const said = (envelopeId: string, content: unknown, change: Partial<StoredMessage> = {}) =>
  row(sampleMessage({ envelopeId, content, ...change }));

function find(store: AccountStore, words: string, more: { roomId?: string; before?: string } = {}) {
  for (;;) {
    while (store.search.catchUp());
    const page = store.search.find({ words, limit: 50, ...more });
    if (page) return page.messages.map(({ envelopeId }) => envelopeId);
  }
}

it('Search finds whole words, file names and other scripts, ignoring case and accents, newest first', () => {
  const store = open();
  store.accept([
    said('msg_1', 'We deploy on Friday, says Zoë.'),
    said('msg_2', 'No DEPLOYMENT today; deploy tomorrow.'),
    said(
      'msg_3',
      { text: 'the plan', attachments: [{ filename: 'a/Roadmap-2026.pdf' }] },
      { contentType: 'puffo/message+attachments/v1' },
    ),
    said('msg_4', '東京で会いましょう'),
  ]);
  expect(find(store, 'deploy')).toEqual(['msg_2', 'msg_1']);
  expect(find(store, 'zoe friday')).toEqual(['msg_1']);
  expect(find(store, '"on friday"')).toEqual(['msg_1']);
  expect(find(store, '"friday on"')).toEqual([]);
  expect(find(store, 'deploym*')).toEqual(['msg_2']);
  expect(find(store, 'roadmap-2026')).toEqual(['msg_3']);
  expect(find(store, '京で')).toEqual(['msg_4']);
  store.release();
});

it('Search finds own messages, messages since the last search, and all of them after a reopen', () => {
  const store = open();
  store.accept([said('msg_1', 'alpha')]);
  expect(find(store, 'alpha')).toEqual(['msg_1']);
  store.enqueue(
    {
      envelopeId: 'msg_2',
      kind: 'dm',
      spaceId: null,
      channelId: null,
      recipientSlug: 'bob-0001',
      threadRootId: null,
      contentType: 'text/plain',
      content: 'Alpha too',
      visible: true,
      createdAt: 5,
    },
    slug,
  );
  expect(find(store, 'alpha')).toEqual(['msg_2', 'msg_1']);
  store.release();
  const again = open();
  expect(find(again, 'alpha', { roomId: 'dm:bob-0001' })).toEqual(['msg_2']);
  again.release();
});

it('A long history is indexed in slices, and search pages have no gaps or duplicates', () => {
  const store = open();
  store.accept(Array.from({ length: 1_203 }, (_, n) => said(`msg_${n}`, `word ${n}`, { sentAt: 7 })));
  expect(store.search.find({ words: 'word', limit: 100 })).toBeNull();
  let slices = 1;
  while (store.search.catchUp()) slices += 1;
  expect(slices).toBe(3);
  const seen: string[] = [];
  for (let page = store.search.find({ words: 'word', limit: 100 }); page; ) {
    seen.push(...page.messages.map(({ envelopeId }) => envelopeId));
    const before = seen.at(-1) ?? '';
    page = page.hasMore ? store.search.find({ words: 'word', limit: 100, before }) : null;
  }
  expect(seen).toEqual(Array.from({ length: 1_203 }, (_, n) => `msg_${1_202 - n}`));
  expect(find(store, 'word', { before: 'msg_unknown' })).toEqual([]);
  store.release();
});

it('Search tells rooms apart whose ids differ only in punctuation', () => {
  const store = open();
  store.accept([
    said('msg_1', 'alpha', { roomId: 'dm:bob-1', channelId: null, kind: 'dm' }),
    said('msg_2', 'alpha', { roomId: 'dm:bob1', channelId: null, kind: 'dm' }),
  ]);
  expect(find(store, 'alpha', { roomId: 'dm:bob-1' })).toEqual(['msg_1']);
  // A search does not match the room name.
  expect(find(store, 'dmbob1')).toEqual([]);
  store.release();
});

it('T25: Search accepts any text without an error', () => {
  const store = open();
  store.accept([said('msg_1', 'alpha beta')]);
  while (store.search.catchUp());
  const syntax = fc
    .array(fc.constantFrom('"', '*', 'NEAR(', ')', ' OR ', ' NOT ', '^', ':', '-', 'text', '\u0000', 'alpha'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(syntax, fc.string({ unit: 'binary' })), fc.string(), (words, roomId) => {
      store.search.find({ words, limit: 5 });
      store.search.find({ words, limit: 5, roomId });
    }),
  );
  store.release();
});

it('Search finds the same messages as plain filtering', () => {
  const word = fc.constantFrom('alpha', 'beta', 'Gamma', 'délta');
  const texts = fc.array(fc.array(word, { maxLength: 5 }), { minLength: 1, maxLength: 30 });
  let round = 0;
  fc.assert(
    fc.property(texts, fc.array(word, { minLength: 1, maxLength: 3 }), (all, wanted) => {
      round += 1;
      const store = openAccountStore({
        path: join(folder, `${round}.db`),
        key: new Uint8Array(32).fill(7),
        slug,
        clock: createVirtualClock(),
        log: createRecordingLog(),
      });
      const plain = createMemoryAccountStore(slug);
      const rows = all.map((words, n) => said(`msg_${n}`, words.join(' '), { roomId: `ch_${n % 3}` }));
      store.accept(rows);
      plain.accept(rows);
      for (const more of [{}, { roomId: 'ch_1' }, { before: 'msg_5' }]) {
        expect(find(store, wanted.join(' '), more)).toEqual(find(plain, wanted.join(' '), more));
      }
      store.release();
    }),
    { numRuns: 25 },
  );
});

it('F19: After damage the search index is rebuilt from the remaining messages', () => {
  const store = open();
  const body = 'alpha beta gamma delta '.repeat(20);
  store.accept(Array.from({ length: 200 }, (_, n) => said(`msg_${n}`, `${body} unique${n}`)));
  expect(find(store, 'unique7')).toEqual(['msg_7']);
  store.release();
  const path = join(folder, 'messages.db');
  const db = openDatabase(path, { key: new Uint8Array(32).fill(7) });
  const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'messages'").get()?.rootpage;
  db.close();
  const bytes = readFileSync(path);
  // The first pages after the roots of this table and its indexes hold messages.
  const page = Number(root) + 12;
  bytes.fill(0xa5, 4096 * page, 4096 * (page + 6));
  writeFileSync(path, bytes);
  const again = open();
  const left = Array.from({ length: 200 }, (_, n) => n).filter((n) => again.message(`msg_${n}`) !== null);
  expect(left.length).toBeGreaterThan(100);
  for (const n of left) expect(find(again, `unique${n}`)).toEqual([`msg_${n}`]);
  expect(readdirSync(folder).filter((name) => name.includes('damaged'))).not.toEqual([]);
  again.release();
});

it('Search filters by sender, day, room and file, with words or without', () => {
  const files = { text: '', attachments: [{ filename: 'plan.pdf' }] };
  const messages = [
    said('msg_1', 'the plan', { senderSlug: 'ana-1', sentAt: 100 }),
    said('msg_2', 'the plan', { senderSlug: 'bob-2', sentAt: 200 }),
    said('msg_3', files, {
      senderSlug: 'ana-1',
      sentAt: 300,
      contentType: 'puffo/message+attachments/v1',
    }),
  ];
  for (const store of [open(), createMemoryAccountStore(slug)]) {
    store.accept(messages);
    while (store.search.catchUp());
    const search = (filters: object, words = '') =>
      store.search.find({ words, limit: 50, ...filters })?.messages.map(({ envelopeId }) => envelopeId);
    expect(search({ senderSlugs: ['ana-1'] })).toEqual(['msg_3', 'msg_1']);
    expect(search({ senderSlugs: ['ana-1'] }, 'the')).toEqual(['msg_1']);
    expect(search({ senderSlugs: ['nobody'] }, 'plan')).toEqual([]);
    expect(search({ senderSlugs: [] }, 'plan')).toEqual([]);
    expect(search({ sentBefore: 300, sentFrom: 200 }, 'plan')).toEqual(['msg_2']);
    expect(search({ hasFile: true })).toEqual(['msg_3']);
    expect(search({ hasFile: false }, 'plan')).toEqual(['msg_3', 'msg_2', 'msg_1']);
    expect(search({})).toEqual([]);
  }
});

it('Filters are checked in windows of 20,000 messages, and a page may span windows', () => {
  const store = open();
  const names = ['ana-1', 'bob-2', 'ana-1', 'bob-2', 'ana-1'];
  store.accept(names.map((senderSlug, n) => said(`msg_${n + 1}`, 'the plan', { senderSlug, sentAt: n })));
  store.release();
  const db = openDatabase(join(folder, 'messages.db'), { key: new Uint8Array(32).fill(7) });
  // Each stands for 15,000 messages.
  for (const n of [5, 4, 3, 2])
    db.prepare('UPDATE messages SET rowid = ? WHERE envelope_id = ?').run([n * 15_000, `msg_${n}`]);
  db.close();
  const spread = open();
  while (spread.search.catchUp());
  const windows = (query: object) => {
    const found: string[][] = [];
    for (let below: number | null | undefined; below !== null; ) {
      const page = spread.search.find({
        words: '',
        limit: 50,
        ...query,
        ...(below === undefined ? {} : { below }),
      });
      found.push(page?.messages.map(({ envelopeId }) => envelopeId) ?? []);
      below = page?.below ?? null;
    }
    return found;
  };
  expect(windows({ senderSlugs: ['ana-1'] })).toEqual([['msg_5'], ['msg_3'], [], ['msg_1']]);
  expect(windows({ senderSlugs: ['ana-1'], words: 'plan' })).toEqual([['msg_5'], ['msg_3'], [], ['msg_1']]);
  expect(windows({ senderSlugs: ['bob-2'], before: 'msg_4' })).toEqual([[], ['msg_2'], []]);
  // The index finds words alone at once, and nothing is scanned for a name that no message has.
  expect(windows({ words: 'plan' })).toEqual([['msg_5', 'msg_4', 'msg_3', 'msg_2', 'msg_1']]);
  for (const nobody of [{ senderSlugs: [] }, { senderSlugs: ['x'] }, { roomId: 'x' }, { hasFile: true }])
    expect(windows(nobody)).toEqual([[]]);
  spread.release();
});
