/**
 * The turn history of an agent: an ended turn is stored in the transaction that ends it, an open one is read
 * from its own table. It promises that the record of a turn survives a restart unchanged.
 */
import { z } from 'zod';
import { hostTextSchema } from '../../contract/host-text-schema.ts';
import type {
  TurnContents,
  TurnQuery,
  TurnRecord,
  TurnRecords,
  TurnTrace,
} from '../../core/agents/turn-records.ts';
import type { TurnOutcome } from '../../core/puffo/account-store.ts';
import type { SqlRow } from './binding.ts';
import { numberOf, oneOf, textOf, textOrNull } from './row-fields.ts';
import type { StoreFile, StoreHandle } from './store-file.ts';
import { packText, unpackText } from './text-column.ts';
import { readIds, readMessage, readReplySteps } from './transcript-rows.ts';
import { appendMessages } from './transcript-store.ts';

const traceSchema = z.array(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('model'),
      provider: z.string(),
      model: z.string(),
      startedAt: z.number(),
      firstAt: z.number().nullable(),
      endedAt: z.number(),
      input: z.number(),
      output: z.number(),
      cacheRead: z.number(),
      usd: z.number().nullable(),
      stop: z.string(),
      error: hostTextSchema,
    }),
    z.object({ kind: z.literal('retry'), at: z.number(), inMs: z.number(), error: hostTextSchema }),
  ]),
);

/** A damaged trace is dropped: the row of the turn matters more than its trace. */
function readTrace(text: string): readonly TurnTrace[] {
  try {
    const parsed = traceSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

/** The message that shows the steps, or `undefined` if none does. */
export const bearerOf = ({ stepsUnder, replies }: TurnOutcome): string | undefined =>
  stepsUnder ?? replies.at(-1)?.envelopeId;

const insertSql = `INSERT OR REPLACE INTO turns
  SELECT turn_id, thread_key, room_id, root_id, :ids, started_at, max(:at, started_at), :status, :detail, first_seq,
    (SELECT coalesce(max(seq), 0) FROM transcript WHERE thread_key = :thread), :replies, :count, :steps, :trace
  FROM open_turns WHERE thread_key = :thread AND turn_id = :turn`;

/**
 * Stores the turn with the end of its transcript. Runs inside the transaction that ends the turn, while it is
 * still in `open_turns`.
 */
export function keepTurn(handle: StoreHandle, outcome: TurnOutcome): void {
  const { threadKey: thread, turnId: turn, at, detail, steps } = outcome;
  appendMessages(handle, thread, outcome.transcript);
  const bearer = bearerOf(outcome);
  const replies = outcome.replies.map(({ envelopeId }) => envelopeId);
  handle.sql(insertSql).run({
    thread,
    turn,
    at,
    detail: packText(detail),
    ids: JSON.stringify(outcome.envelopeIds),
    status: outcome.status,
    replies: JSON.stringify(replies.length > 0 || bearer === undefined ? replies : [bearer]),
    count: steps.length,
    steps: bearer === undefined && steps.length > 0 ? JSON.stringify(steps) : null,
    trace: JSON.stringify(outcome.trace ?? []),
  });
}

const columns = `turn_id, thread_key, room_id, root_id, envelope_ids, started_at, ended_at, status, detail, reply_ids,
  step_count`;
const openColumns = `turn_id, thread_key, room_id, root_id, envelope_ids, started_at, NULL AS ended_at,
  'open' AS status, '' AS detail, '[]' AS reply_ids,
  (SELECT count(*) FROM calls c WHERE c.thread_key = o.thread_key AND c.turn_id = o.turn_id) AS step_count`;

const recordOf = (row: SqlRow): TurnRecord => ({
  turnId: textOf(row, 'turn_id'),
  threadKey: textOf(row, 'thread_key'),
  roomId: textOf(row, 'room_id'),
  rootId: textOf(row, 'root_id'),
  envelopeIds: readIds(textOf(row, 'envelope_ids')),
  startedAt: numberOf(row, 'started_at'),
  endedAt: row.ended_at === null ? null : numberOf(row, 'ended_at'),
  status: oneOf(row, 'status', ['open', 'done', 'failed', 'silent', 'stopped']),
  detail: unpackText(row, 'detail'),
  stepCount: numberOf(row, 'step_count'),
  replyIds: readIds(textOf(row, 'reply_ids')),
});

/** The order of the index, so that a page costs its own length and not the whole history. */
const orderSql = 'ORDER BY started_at DESC, turn_id DESC LIMIT :limit';
const whereSql = `(started_at, turn_id) < (:at, :id) AND started_at BETWEEN :since AND :until
  AND (:room IS NULL OR room_id = :room)`;

function list({ sql }: StoreHandle, query: TurnQuery): readonly TurnRecord[] {
  const { before, statuses, roomId, since, until, limit } = query;
  const params = {
    limit,
    room: roomId ?? null,
    since: since ?? -1,
    until: until ?? Number.MAX_SAFE_INTEGER,
    at: before?.startedAt ?? Number.MAX_SAFE_INTEGER,
    id: before?.turnId ?? '',
  };
  const wanted = JSON.stringify(statuses ?? ['open', 'done', 'failed', 'silent', 'stopped']);
  const open =
    statuses && !statuses.includes('open')
      ? []
      : sql(`SELECT ${openColumns} FROM open_turns o WHERE ${whereSql} ${orderSql}`).all(params);
  const ended = sql(`SELECT ${columns} FROM turns WHERE ${whereSql}
    AND status IN (SELECT value FROM json_each(:statuses)) ${orderSql}`).all({ ...params, statuses: wanted });
  return [...open, ...ended]
    .map(recordOf)
    .sort((a, b) => b.startedAt - a.startedAt || (a.turnId < b.turnId ? 1 : -1))
    .slice(0, limit);
}

/** A thread's calls keep their start until a call id repeats; a later turn may then have replaced the row. */
function contents({ sql }: StoreHandle, turnId: string): TurnContents {
  const none: TurnContents = { steps: [], trace: [], messages: [], calls: [] };
  const row =
    sql('SELECT thread_key, first_seq, last_seq, reply_ids, steps, trace FROM turns WHERE turn_id = ?').get([
      turnId,
    ]) ??
    sql(`SELECT thread_key, first_seq, NULL AS last_seq, '[]' AS reply_ids, NULL AS steps, '[]' AS trace
      FROM open_turns WHERE turn_id = ?`).get([turnId]);
  if (!row) return none;
  const thread = textOf(row, 'thread_key');
  const own = textOrNull(row, 'steps');
  const bearer = readIds(textOf(row, 'reply_ids')).at(-1);
  const borne =
    own === null && bearer !== undefined
      ? sql('SELECT steps FROM reply_steps WHERE envelope_id = ?').get([bearer])
      : undefined;
  const steps = own ?? (borne ? textOf(borne, 'steps') : null);
  const last = row.last_seq === null ? Number.MAX_SAFE_INTEGER : numberOf(row, 'last_seq');
  return {
    steps: steps === null ? [] : readReplySteps(steps),
    trace: readTrace(textOf(row, 'trace')),
    messages:
      row.first_seq === null
        ? []
        : sql('SELECT seq, message FROM transcript WHERE thread_key = ? AND seq BETWEEN ? AND ? ORDER BY seq')
            .all([thread, numberOf(row, 'first_seq'), last])
            .map((one) => ({ seq: numberOf(one, 'seq'), message: readMessage(textOf(one, 'message')) })),
    calls: sql('SELECT call_id, started_at FROM calls WHERE thread_key = ? AND turn_id = ?')
      .all([thread, turnId])
      .map((one) => ({ callId: textOf(one, 'call_id'), startedAt: numberOf(one, 'started_at') })),
  };
}

export function createTurnRecords(file: StoreFile): TurnRecords {
  return {
    list: (query) => file.use((handle) => list(handle, query)),
    startingWith: (prefix) =>
      file.use(({ sql }) => {
        const named = 'turn_id BETWEEN :prefix AND :prefix || char(0x10ffff)';
        const rows = [
          ...sql(`SELECT ${openColumns} FROM open_turns o WHERE ${named} LIMIT 2`).all({ prefix }),
          ...sql(`SELECT ${columns} FROM turns WHERE ${named} LIMIT 2`).all({ prefix }),
        ];
        return rows.map(recordOf);
      }),
    contents: (turnId) => file.use((handle) => contents(handle, turnId)),
  };
}
