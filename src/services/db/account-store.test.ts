import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm, sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { userMessage } from '../../core/models/messages.ts';
import type { AccountStore, TriggerDecision } from '../../core/puffo/account-store.ts';
import type { OutboxDraft, StoredMessage } from '../../core/puffo/stored-message.ts';
import { accountSchema } from './account-schema.ts';
import { openAccountStore } from './account-store.ts';
import { openDatabase } from './binding.ts';
import { migrate } from './migrate.ts';

const slug = 'helper-9a7c';
const key = new Uint8Array(32).fill(5);
const react: TriggerDecision = { react: true, reason: 'mention', priority: 1 };
const ignore: TriggerDecision = { react: false, reason: 'not_mentioned', priority: 3 };

let folder: string;
eachTestInFolder('kennel-account-', (made) => {
  folder = made;
});

const draft = (envelopeId: string, change: Partial<OutboxDraft> = {}): OutboxDraft => ({
  envelopeId,
  kind: 'channel',
  spaceId: 'sp_1',
  channelId: 'ch_1',
  recipientSlug: null,
  threadRootId: 'msg_1',
  contentType: 'text/plain',
  content: 'answer',
  visible: true,
  createdAt: 1_778_790_001_000,
  ...change,
});

const ending = {
  turnId: 't',
  threadKey: 'ch|ch_1|msg_1',
  envelopeIds: ['msg_1'],
  status: 'done',
  detail: '',
  transcript: [],
  steps: [],
  at: 1,
} as const;

function open(change: { onQuarantine?: (to: string) => void } = {}) {
  const clock = createVirtualClock();
  const log = createRecordingLog();
  const file = path.join(folder, 'agents', 'a', 'messages.db');
  const store = openAccountStore({ path: file, slug, key, clock, log, ...change });
  return { store, clock, log, file };
}

const makers: readonly [string, () => AccountStore][] = [
  ['SQLite', () => open().store],
  ['memory', () => createMemoryAccountStore(slug)],
];

describe.each(makers)('Account store in %s', (_name, make) => {
  let store: AccountStore;
  beforeEach(() => {
    store = make();
  });
  afterEach(() => store.release());

  it('accepts a message once, however often it arrives (F10)', () => {
    const one = sampleMessage();
    expect(store.accept([{ message: one, decision: react }])).toEqual([one]);
    expect(
      store.accept([
        { message: one, decision: react },
        { message: sampleMessage({ envelopeId: 'msg_2' }), decision: ignore },
      ]),
    ).toEqual([sampleMessage({ envelopeId: 'msg_2' })]);
    expect(store.messageCount()).toBe(2);
    expect(store.known(['msg_1', 'msg_2', 'msg_3', "x' OR '1'='1"])).toEqual(new Set(['msg_1', 'msg_2']));
    expect(store.openWork()).toEqual([{ message: one, priority: 1, rootId: 'msg_1' }]);
  });

  it('accepts a signed payload once under any id, its own messages included (T6)', () => {
    const row = (envelopeId: string, senderSlug: string, nonce: string) => ({
      message: sampleMessage({ envelopeId, senderSlug }),
      decision: ignore,
      nonce,
    });
    const ids = (rows: readonly StoredMessage[]) => rows.map(({ envelopeId }) => envelopeId);
    const rows = [row('msg_a', 'bob', 'n1'), row('msg_b', 'bob', 'n1'), row('msg_c', 'eve', 'n1')];
    expect(ids(store.accept(rows))).toEqual(['msg_a', 'msg_c']);
    expect(ids(store.accept([row('msg_d', 'bob', 'n1'), row('msg_e', 'bob', 'n2')]))).toEqual(['msg_e']);
    store.enqueue(draft('msg_o'), slug);
    store.outboxSealed('msg_o', '{"sealed":1}', 'key', 'n3');
    expect(ids(store.accept([row('msg_f', slug, 'n3')]))).toEqual([]);
    expect(store.messageCount()).toBe(4);
  });

  it('returns content with its type', () => {
    const contents: unknown[] = [
      '42',
      'null',
      '"x"',
      '',
      42,
      null,
      true,
      [1],
      { text: 'f', attachments: [] },
    ];
    for (const [index, content] of contents.entries()) {
      store.accept([{ message: sampleMessage({ envelopeId: `msg_${index}`, content }), decision: ignore }]);
      expect(store.message(`msg_${index}`)?.content).toEqual(content);
    }
  });

  it('returns the reason for a reaction and its outcome', () => {
    store.accept([
      { message: sampleMessage(), decision: react },
      { message: sampleMessage({ envelopeId: 'msg_2' }), decision: ignore },
    ]);
    expect(store.decision('msg_1')).toEqual({ ...react, status: 'open', detail: '' });
    expect(store.decision('msg_2')).toEqual({ ...ignore, status: null, detail: '' });
    expect(store.decision('none')).toBeNull();
    store.completeTurn({
      ...ending,
      status: 'failed',
      detail: 'no model',
      replies: [],
    });
    expect(store.decision('msg_1')).toEqual({ ...react, status: 'failed', detail: 'no model' });
    expect(store.openWork()).toEqual([]);
  });

  it('completes a turn atomically: work closed, reply queued and in the history, transcript saved', () => {
    store.accept([{ message: sampleMessage(), decision: react }]);
    store.completeTurn({
      ...ending,
      replies: [draft('msg_r')],
      transcript: [userMessage('answer me', 5)],
    });
    expect(store.openOutbox().map((row) => [row.envelopeId, row.state, row.attempts])).toEqual([
      ['msg_r', 'queued', 0],
    ]);
    expect(store.thread('msg_1', 50).map((m) => [m.envelopeId, m.senderSlug])).toEqual([
      ['msg_1', 'alice-a62c'],
      ['msg_r', slug],
    ]);
    expect(store.transcripts.load('ch|ch_1|msg_1')).toEqual([
      { seq: 1, message: userMessage('answer me', 5) },
    ]);
    expect(store.rooms()).toMatchObject([{ roomId: 'ch_1', lastText: 'answer', unread: 1 }]);
    store.markRead('ch_1');
    expect(store.rooms()[0]?.unread).toBe(0);
  });

  it('keeps the order of own messages of one millisecond, and follows a clock that was set back (I3, F8)', () => {
    const ids = ['msg_z', 'msg_y', 'msg_x', 'msg_w'];
    for (const id of ids) store.enqueue(draft(id), slug);
    const history = store.history({ roomId: 'ch_1', limit: 10 }).messages;
    expect(history.map(({ envelopeId }) => envelopeId)).toEqual(ids);
    expect(store.openOutbox().map(({ createdAt }) => createdAt)).toEqual(history.map(({ sentAt }) => sentAt));
    store.enqueue(draft('msg_v', { createdAt: 1_778_789_000_000 }), slug);
    expect(store.message('msg_v')?.sentAt).toBe(1_778_789_000_000);
  });

  it('tracks an outgoing message from queued to sent', () => {
    store.enqueue(
      draft('msg_o', { kind: 'dm', channelId: null, spaceId: null, recipientSlug: 'bob-0001' }),
      slug,
    );
    store.outboxAttempted('msg_o', 'no route');
    store.outboxSealed('msg_o', '{"sealed":1}', 'key');
    expect(store.outbox('msg_o')).toMatchObject({
      state: 'sealed',
      sealed: '{"sealed":1}',
      contentKey: 'key',
      attempts: 1,
      error: 'no route',
    });
    expect(store.message('msg_o')).toMatchObject({ roomId: 'dm:bob-0001', senderSlug: slug });
    store.outboxSettled('msg_o', 'sent', null);
    expect(store.openOutbox()).toEqual([]);
    expect(store.outbox('msg_o')?.state).toBe('sent');
    expect(store.outbox('none')).toBeNull();
  });

  it('pages in both directions through a room, also across equal timestamps', () => {
    const all = Array.from({ length: 25 }, (_, n) =>
      sampleMessage({ envelopeId: `msg_${String(n).padStart(2, '0')}`, sentAt: 1000 + Math.floor(n / 5) }),
    );
    store.accept([...all].reverse().map((message) => ({ message, decision: ignore })));
    store.accept([{ message: sampleDm({ envelopeId: 'msg_dm', sentAt: 1003 }), decision: ignore }]);
    const seen: StoredMessage[] = [];
    let before: string | undefined;
    for (;;) {
      const page = store.history({ roomId: 'ch_1', limit: 7, ...(before ? { before } : {}) });
      seen.unshift(...page.messages);
      if (!page.hasMore) break;
      before = page.messages[0]?.envelopeId;
    }
    expect(seen).toEqual(all);
    expect(store.history({ roomId: 'ch_1', before: 'unknown', limit: 7 }).messages).toEqual([]);
    const forth: StoredMessage[] = all.slice(0, 1);
    while (forth.length < 2 * all.length) {
      const page = store.history({ roomId: 'ch_1', limit: 7, after: forth.at(-1)?.envelopeId ?? '' });
      forth.push(...page.messages);
      if (!page.hasMore) break;
    }
    expect(forth).toEqual(all);
  });

  it('counts refusals and stores values', () => {
    store.countRefused('bad_signature');
    store.countRefused('bad_signature');
    store.countRefused('__proto__');
    expect(Object.entries(store.refused())).toContainEqual(['bad_signature', 2]);
    expect(store.getValue('cursor')).toBeNull();
    store.setValue('cursor', 'a');
    store.setValue('cursor', 'b');
    expect(store.getValue('cursor')).toBe('b');
  });
});

describe('Account store on disk', () => {
  it('queues a reply once if a turn is completed twice (I2)', () => {
    const { store } = open();
    store.accept([{ message: sampleMessage(), decision: react }]);
    store.completeTurn({ ...ending, replies: [draft('msg_r1')] });
    store.completeTurn({ ...ending, replies: [draft('msg_r2')] });
    expect(store.openOutbox().map((row) => row.envelopeId)).toEqual(['msg_r1']);
    store.release();
  });

  it('keeps all data when closed and reopened, readable only by its owner (T19)', () => {
    const { store, file } = open();
    store.accept([{ message: sampleMessage(), decision: react }]);
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(`${file}${suffix}`).mode & 0o777, suffix).toBe(0o600);
    }
    store.release();
    expect(store.message('msg_1')).toEqual(sampleMessage());
    expect(store.openWork()).toHaveLength(1);
    store.release();
  });

  it('has no plaintext message in any of its files (T18, I5)', () => {
    const { store } = open();
    const canary = 'CANARY-message-body';
    store.accept([{ message: sampleMessage({ content: canary.repeat(300) }), decision: react }]);
    store.enqueue(draft('msg_o', { content: canary }), slug);
    store.setValue('k', canary);
    const look = () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .filter((entry) => readFileSync(path.join(entry.parentPath, entry.name)).includes('CANARY'));
    expect(look()).toEqual([]);
    store.release();
    expect(look()).toEqual([]);
  });

  it('closes its file after 30 s without a call, and not before', async () => {
    const { store, clock, file } = open();
    store.messageCount();
    await clock.advance(20_000);
    store.messageCount();
    await clock.advance(20_000);
    expect(readdirSync(path.dirname(file))).toContain('messages.db-wal');
    await clock.advance(10_001);
    expect(readdirSync(path.dirname(file))).toEqual(['messages.db']);
    expect(clock.pending()).toBe(0);
    expect(store.messageCount()).toBe(0);
    store.release();
  });

  it('moves a damaged file aside under a dated name and continues with a new one (F19)', () => {
    const moved: string[] = [];
    const { store, file } = open({ onQuarantine: (to) => moved.push(to) });
    store.accept([{ message: sampleMessage(), decision: react }]);
    store.release();
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(4096, 1), 0, 4096, 0);
    closeSync(descriptor);
    expect(store.messageCount()).toBe(0);
    expect(moved).toEqual([`${file}.damaged-2026-05-14T20-20-00-000Z`]);
    expect(statSync(moved[0]!).size).toBeGreaterThan(4096);
    store.accept([{ message: sampleMessage(), decision: react }]);
    expect(store.messageCount()).toBe(1);
    store.release();
  });

  it('never crashes and never returns a false message after one bit flips (F19)', () => {
    const { store, file } = open();
    const rows = Array.from({ length: 40 }, (_, n) =>
      sampleMessage({ envelopeId: `msg_${n}`, content: `text ${n}` }),
    );
    store.accept(rows.map((message) => ({ message, decision: ignore })));
    store.release();
    const good = readFileSync(file);
    fc.assert(
      fc.property(fc.nat(good.length * 8 - 1), (bit) => {
        const bad = Buffer.from(good);
        bad[bit >> 3]! ^= 1 << (bit & 7);
        const descriptor = openSync(file, 'w');
        writeSync(descriptor, bad);
        closeSync(descriptor);
        rmSync(`${file}-wal`, { force: true });
        const again = open().store;
        try {
          for (const found of again.history({ roomId: 'ch_1', limit: 50 }).messages) {
            expect(found).toEqual(rows.find((row) => row.envelopeId === found.envelopeId));
          }
        } catch (error) {
          expect(error).toMatchObject({ name: 'StoreError', code: 'corrupt' });
        } finally {
          again.release();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a file of a newer version and leaves it unchanged (F24)', () => {
    const { store, file } = open();
    store.messageCount();
    store.release();
    const db = openDatabase(file, { key });
    db.pragma('user_version = 99');
    db.close();
    const before = readFileSync(file);
    expect(() => store.messageCount()).toThrow(expect.objectContaining({ code: 'unsupported' }));
    store.release();
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(path.dirname(file)).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  it('migrates a file of schema 1, keeping its messages and a backup copy (F24)', () => {
    const { store, file } = open();
    mkdirSync(path.dirname(file), { recursive: true });
    const db = openDatabase(file, { key });
    migrate(db, accountSchema.slice(0, 1));
    db.exec(`INSERT INTO messages (envelope_id, envelope_kind, sender_slug, channel_id, content, sent_at, received_at,
      content_json, room_id, visible, encrypted) VALUES ('msg_1', 'channel', 'ada', 'ch_1', 'x', 1, 1, 0, 'ch_1', 1, 1)`);
    db.close();
    expect(store.messageCount()).toBe(1);
    expect(
      store.accept([{ message: sampleMessage({ envelopeId: 'msg_x' }), decision: ignore, nonce: 'n' }]),
    ).toHaveLength(1);
    store.release();
    expect(readdirSync(path.dirname(file))).toContain('messages.db.schema-1');
  });

  it('has at least the tables, columns and indexes that tools for puffo-agent expect', () => {
    const { store, file } = open();
    store.messageCount();
    store.release();
    const fixture = JSON.parse(
      readFileSync(
        path.join(import.meta.dirname, '../../../test/fixtures/conformance/puffo-local.json'),
        'utf8',
      ),
    ).sqlite as {
      tables: Record<string, { name: string; type: string; notnull: number; pk: number }[]>;
      indexes: Record<string, { name: string; partial: number }[]>;
    };
    const db = openDatabase(file, { key });
    for (const [table, columns] of Object.entries(fixture.tables)) {
      const have = db.prepare(`SELECT name, type, "notnull", pk FROM pragma_table_info('${table}')`).all();
      for (const { name, type, notnull, pk } of columns)
        expect(have).toContainEqual({ name, type, notnull, pk });
      const indexes = db.prepare(`SELECT name, partial FROM pragma_index_list('${table}')`).all();
      for (const { name, partial } of fixture.indexes[table] ?? []) {
        expect(indexes).toContainEqual({ name, partial });
      }
    }
    db.close();
  });
});
