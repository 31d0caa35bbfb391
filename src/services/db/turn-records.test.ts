import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { TurnTrace } from '../../core/agents/turn-records.ts';
import { userMessage } from '../../core/models/messages.ts';
import type { AccountStore, TurnOutcome, TurnTaken } from '../../core/puffo/account-store.ts';
import { say } from '../../language/say.ts';
import { accountSchema } from './account-schema.ts';
import { openAccountStore } from './account-store.ts';
import { openDatabase } from './binding.ts';
import { migrate } from './migrate.ts';

const slug = 'helper-9a7c';
const key = new Uint8Array(32).fill(7);

let folder: string;
eachTestInFolder('kennel-turns-', (made) => {
  folder = made;
});

const open = (): AccountStore =>
  openAccountStore({
    path: path.join(folder, 'messages.db'),
    slug,
    key,
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });

const stores: readonly [string, () => AccountStore][] = [
  ['SQLite', open],
  ['memory', () => createMemoryAccountStore(slug)],
];

const decision = { react: true, reason: 'mention', priority: 1 } as const;
const trace: TurnTrace[] = [
  {
    kind: 'model',
    provider: 'p',
    model: 'm',
    startedAt: 10,
    firstAt: 11,
    endedAt: 12,
    input: 3,
    output: 4,
    cacheRead: 0,
    usd: null,
    stop: 'error',
    error: 'overloaded',
  },
  { kind: 'retry', at: 12, inMs: 500, error: 'overloaded' },
];
const step: ToolStep = {
  callId: 'c1',
  tool: 'write_file',
  title: 'wrote a',
  state: 'done',
  detail: '',
  approvalId: null,
  startedAt: 1,
  endedAt: 2,
};

/** One turn about message `n`, begun at `n`; odd and even ones have different rooms. */
function work(store: AccountStore, n: number, end: Partial<TurnOutcome> | null): string {
  const envelopeId = `msg_${n}`;
  const roomId = n % 2 === 0 ? 'ch_1' : 'ch_2';
  const message = sampleMessage({ envelopeId, channelId: roomId, roomId });
  store.accept([{ message, decision, nonce: `nonce ${n}` }]);
  const turn: TurnTaken = {
    turnId: `t${n}`,
    threadKey: `${roomId}/${envelopeId}`,
    roomId,
    rootId: envelopeId,
    envelopeIds: [envelopeId],
    startedAt: n,
  };
  store.takeIntoTurn(turn, userMessage(`words ${n}`, n));
  if (end) {
    store.completeTurn({
      turnId: turn.turnId,
      threadKey: turn.threadKey,
      envelopeIds: [envelopeId],
      status: 'done',
      detail: '',
      replies: [],
      transcript: [userMessage('end', n)],
      steps: [],
      at: n + 5,
      ...end,
    });
  }
  return turn.turnId;
}

describe.each(stores)('Turns in %s', (_name, make) => {
  it('are listed newest first by page, including open ones, and filtered by status, room and time', () => {
    const store = make();
    work(store, 1, {});
    work(store, 2, { status: 'failed', detail: 'No key.' });
    work(store, 3, { status: 'stopped', detail: say('turns.stoppedByYou') });
    work(store, 4, null);
    const { turns } = store;
    const ids = (query: Partial<Parameters<typeof turns.list>[0]>) =>
      turns.list({ limit: 10, ...query }).map(({ turnId }) => turnId);
    expect(ids({})).toEqual(['t4', 't3', 't2', 't1']);
    expect(ids({ limit: 2 })).toEqual(['t4', 't3']);
    expect(ids({ before: { startedAt: 3, turnId: 't3' } })).toEqual(['t2', 't1']);
    expect(ids({ statuses: ['failed'] })).toEqual(['t2']);
    expect(ids({ statuses: ['stopped', 'open'] })).toEqual(['t4', 't3']);
    expect(ids({ roomId: 'ch_2' })).toEqual(['t3', 't1']);
    expect(ids({ since: 2, until: 3 })).toEqual(['t3', 't2']);
    expect(turns.list({ limit: 1 })[0]).toMatchObject({ status: 'open', endedAt: null });
    expect(turns.startingWith('t2')).toMatchObject([{ turnId: 't2', endedAt: 7, detail: 'No key.' }]);
    expect(turns.startingWith('t')).not.toHaveLength(0);
    expect(turns.startingWith('%')).toEqual([]);
  });

  it('keep their transcript messages, their steps and their trace', () => {
    const store = make();
    const id = work(store, 2, { steps: [step], trace });
    const contents = store.turns.contents(id);
    expect(contents.messages.map(({ message }) => message.timestamp)).toEqual([2, 2]);
    expect(contents).toMatchObject({ steps: [step], trace });
    expect(store.turns.list({ limit: 1 })[0]).toMatchObject({ stepCount: 1, replyIds: [] });
    expect(store.turns.contents('nobody')).toMatchObject({ messages: [], steps: [] });
  });

  it('do not change if ended a second time (I2)', () => {
    const store = make();
    const id = work(store, 2, {});
    store.completeTurn({
      turnId: id,
      threadKey: 'ch|ch_1|msg_2',
      envelopeIds: ['msg_2'],
      status: 'failed',
      detail: 'late',
      replies: [],
      transcript: [],
      steps: [],
      at: 99,
    });
    expect(store.turns.list({ limit: 5 })).toMatchObject([{ turnId: id, status: 'done', endedAt: 7 }]);
  });
});

describe('Turns on disk', () => {
  it('F1 persist across a restart, together with the steps stored under their reply', () => {
    const first = open();
    const id = work(first, 2, { steps: [step], stepsUnder: 'msg_sent', trace });
    first.release();
    const second = open();
    expect(second.turns.contents(id)).toMatchObject({ steps: [step], trace });
    expect(second.turns.list({ limit: 5 })).toMatchObject([{ turnId: id, replyIds: ['msg_sent'] }]);
    second.release();
  });

  it('T9 F24 migrate old transcripts: rows name the messages of their turn, and summaries are untrusted', () => {
    const db = openDatabase(path.join(folder, 'old.db'));
    migrate(db, accountSchema.slice(0, 6));
    db.prepare(`INSERT INTO messages (envelope_id, envelope_kind, sender_slug, channel_id, content, sent_at,
      received_at, content_json, room_id, visible, encrypted) VALUES ('msg_1', 'channel', 'ada', 'ch_1', 'x', 1, 1, 0, 'ch_1', 1, 1)`).run();
    const said = db.prepare('INSERT INTO transcript (thread_key, seq, message) VALUES (?, ?, ?)');
    const kept = JSON.stringify(userMessage('x', 1));
    for (const seq of [1, 2, 3, 7]) said.run(['k', seq, seq === 2 ? '{"role":"note"}' : kept]);
    said.run(['other', 1, 'damaged']);
    const turn = db.prepare(
      `INSERT INTO turns VALUES (?, 'k', 'ch_1', 'r', ?, 1, 2, 'done', '', ?, ?, '[]', 0, NULL, '[]')`,
    );
    turn.run(['t1', '["msg_1"]', 1, 2]);
    turn.run(['t2', '["msg_1","msg_gone"]', 3, 5]);
    db.prepare("INSERT INTO transcript_marks VALUES ('k', 1, ?)").run([kept]);
    migrate(db, accountSchema);
    const rows = db.prepare('SELECT message FROM transcript ORDER BY id').all();
    const ada = { id: 'msg_1', senderSlug: 'ada' };
    expect(rows.slice(0, 4).map((row) => JSON.parse(String(row.message)).origin)).toEqual([
      { messages: [ada], untrusted: false },
      undefined,
      { messages: [ada, { id: 'msg_gone', senderSlug: '' }], untrusted: false },
      { messages: [], untrusted: true },
    ]);
    expect(rows[4]?.message).toBe('damaged');
    const mark = db.prepare('SELECT summary FROM transcript_marks').get();
    expect(JSON.parse(String(mark?.summary)).origin).toEqual({ messages: [], untrusted: true });
    db.close();
  });

  it('F24 are rebuilt in an old file from the messages they answered', () => {
    const file = path.join(folder, 'old.db');
    const db = openDatabase(file);
    migrate(db, accountSchema.slice(0, 5));
    const insert =
      db.prepare(`INSERT INTO messages (envelope_id, envelope_kind, sender_slug, channel_id, content, sent_at,
      received_at, content_json, room_id, visible, encrypted) VALUES (?, 'channel', 'ada', 'ch_1', 'x', 1, ?, 0, 'ch_1', 1, 1)`);
    const worked = db.prepare(
      "INSERT INTO work (envelope_id, root_id, priority, status, detail, turn_id, settled_at) VALUES (?, 'msg_1', 1, ?, ?, ?, ?)",
    );
    for (const [n, status, detail, turn] of [
      [1, 'done', '', 't1'],
      [2, 'done', '', 't1'],
      [3, 'silent', 'stopped: you ended this turn.', 't2'],
      [4, 'open', '', null],
    ] as const) {
      insert.run([`msg_${n}`, 100 + n]);
      worked.run([`msg_${n}`, status, detail, turn, turn === null ? null : 200]);
    }
    migrate(db, accountSchema);
    const rows = db
      .prepare('SELECT turn_id, status, started_at, envelope_ids, first_seq FROM turns ORDER BY turn_id')
      .all();
    expect(rows).toEqual([
      { turn_id: 't1', status: 'done', started_at: 101, envelope_ids: '["msg_1","msg_2"]', first_seq: null },
      { turn_id: 't2', status: 'stopped', started_at: 103, envelope_ids: '["msg_3"]', first_seq: null },
    ]);
    const plan = db
      .prepare(
        `EXPLAIN QUERY PLAN SELECT * FROM turns WHERE (started_at, turn_id) < (7, 'a') ORDER BY started_at DESC, turn_id DESC LIMIT 5`,
      )
      .all();
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('USING INDEX idx_turns_started'),
    ]);
    db.close();
  });
});
