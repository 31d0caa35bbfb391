/**
 * The turns of an agent from start to end. The messages that a turn answers are stored before the model is
 * called, so that the same turn continues after a crash and no message is answered twice (I2).
 */
import type { ToolStep } from '../../contract/work.ts';
import type { UserMessage } from '../../core/models/messages.ts';
import type { OpenTurn, TurnOutcome, TurnTaken } from '../../core/puffo/account-store.ts';
import { AccountReading } from './account-reading.ts';
import type { SqlRow } from './binding.ts';
import { numberOf, textOf } from './row-fields.ts';
import type { StoreHandle } from './store-file.ts';
import { readIds, readReplySteps } from './transcript-rows.ts';
import { appendMessages } from './transcript-store.ts';
import { bearerOf, keepTurn } from './turn-records.ts';

const turnOf = (row: SqlRow): OpenTurn => ({
  turnId: textOf(row, 'turn_id'),
  threadKey: textOf(row, 'thread_key'),
  roomId: textOf(row, 'room_id'),
  rootId: textOf(row, 'root_id'),
  envelopeIds: readIds(textOf(row, 'envelope_ids')),
  firstSeq: numberOf(row, 'first_seq'),
  startedAt: numberOf(row, 'started_at'),
});

function put({ sql }: StoreHandle, turn: TurnTaken): void {
  const ids = JSON.stringify(turn.envelopeIds);
  sql(`INSERT INTO open_turns (thread_key, turn_id, room_id, root_id, envelope_ids, first_seq, started_at)
    SELECT :thread, :turn, :room, :root, :ids, coalesce(max(seq), 0) + 1, :at FROM transcript WHERE thread_key = :thread
    ON CONFLICT (thread_key) DO UPDATE SET
      first_seq = iif(turn_id = excluded.turn_id, first_seq, excluded.first_seq),
      turn_id = excluded.turn_id, envelope_ids = excluded.envelope_ids, started_at = excluded.started_at`).run(
    {
      thread: turn.threadKey,
      turn: turn.turnId,
      room: turn.roomId,
      root: turn.rootId,
      ids,
      at: turn.startedAt,
    },
  );
}

/**
 * Runs inside the transaction that closes the turn's messages. `fresh` is true if they were open until now.
 */
export function endTurn(handle: StoreHandle, outcome: TurnOutcome, fresh: boolean): void {
  const { sql } = handle;
  if (fresh) keepTurn(handle, outcome);
  sql('DELETE FROM open_turns WHERE thread_key = ? AND turn_id = ?').run([outcome.threadKey, outcome.turnId]);
  // No call outlives its turn: a call that is still open either has its result in the transcript or never
  // ran.
  sql('UPDATE calls SET ended = 1 WHERE thread_key = ? AND ended = 0').run([outcome.threadKey]);
  if (!fresh) return;
  const under = bearerOf(outcome);
  if (under === undefined || outcome.steps.length === 0) return;
  const row = [under, JSON.stringify(outcome.steps)];
  sql('INSERT OR REPLACE INTO reply_steps (envelope_id, steps) VALUES (?, ?)').run(row);
}

/** The part of an account's store about turns. */
export class AgentWork extends AccountReading {
  takeIntoTurn(turn: TurnTaken, message: UserMessage | null): void {
    this.file.write((handle) => {
      put(handle, turn);
      if (message) appendMessages(handle, turn.threadKey, [message]);
    });
  }

  openTurn(threadKey: string): OpenTurn | null {
    return this.file.use(({ sql }) => {
      const row = sql('SELECT * FROM open_turns WHERE thread_key = ?').get([threadKey]);
      return row ? turnOf(row) : null;
    });
  }

  openTurns(): readonly OpenTurn[] {
    return this.file.use(({ sql }) => sql('SELECT * FROM open_turns ORDER BY started_at').all().map(turnOf));
  }

  steps(envelopeId: string): readonly ToolStep[] {
    return this.file.use(({ sql }) => {
      const row = sql('SELECT steps FROM reply_steps WHERE envelope_id = ?').get([envelopeId]);
      return row ? readReplySteps(textOf(row, 'steps')) : [];
    });
  }
}
