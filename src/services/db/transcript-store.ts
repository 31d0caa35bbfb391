/**
 * Transcripts of one agent by thread, in its account's store. It promises that a call's intent is on disk
 * before its effect, that its result is stored together with the end of the intent, and that sequence numbers
 * of a thread only grow.
 */
import type { TranscriptMessage } from '../../core/models/messages.ts';
import type { CallIntent, TranscriptEntry, TranscriptStore } from '../../core/models/transcript-store.ts';
import type { SqlRow } from './binding.ts';
import { numberOf, oneOf, textOf } from './row-fields.ts';
import type { StoreFile, StoreHandle } from './store-file.ts';
import { readCallArgs, readMessage, writeMessage } from './transcript-rows.ts';

/** Runs inside the caller's transaction. */
export function appendMessages(
  { sql }: StoreHandle,
  threadKey: string,
  messages: readonly TranscriptMessage[],
): void {
  if (messages.length === 0) return;
  const last = sql('SELECT coalesce(max(seq), 0) AS seq FROM transcript WHERE thread_key = ?').get([
    threadKey,
  ]);
  let seq = last ? numberOf(last, 'seq') : 0;
  for (const message of messages) {
    seq += 1;
    const row = [threadKey, seq, writeMessage(message)];
    sql('INSERT INTO transcript (thread_key, seq, message) VALUES (?, ?, ?)').run(row);
  }
}

const intentOf = (row: SqlRow): CallIntent => ({
  callId: textOf(row, 'call_id'),
  turnId: textOf(row, 'turn_id'),
  tool: textOf(row, 'tool'),
  digest: textOf(row, 'digest'),
  args: readCallArgs(textOf(row, 'args')),
  replay: oneOf(row, 'replay', ['safe', 'never']),
  at: numberOf(row, 'started_at'),
});

function load({ sql }: StoreHandle, threadKey: string): readonly TranscriptEntry[] {
  const mark = sql('SELECT keep_from, summary FROM transcript_marks WHERE thread_key = ?').get([threadKey]);
  const from = mark ? numberOf(mark, 'keep_from') : 0;
  const entries = sql('SELECT seq, message FROM transcript WHERE thread_key = ? AND seq >= ? ORDER BY seq')
    .all([threadKey, from])
    .map((row) => ({ seq: numberOf(row, 'seq'), message: readMessage(textOf(row, 'message')) }));
  if (!mark) return entries;
  return [{ seq: from - 1, message: readMessage(textOf(mark, 'summary')) }, ...entries];
}

export function createTranscriptStore(file: StoreFile): TranscriptStore {
  return {
    load: (threadKey) => file.use((handle) => load(handle, threadKey)),
    append: (threadKey, messages) => {
      if (messages.length > 0) file.write((handle) => appendMessages(handle, threadKey, messages));
    },
    compact: (threadKey, keepFromSeq, summary) =>
      file.write(({ sql }) => {
        sql(`INSERT INTO transcript_marks (thread_key, keep_from, summary) VALUES (?, ?, ?)
          ON CONFLICT (thread_key) DO UPDATE SET keep_from = excluded.keep_from, summary = excluded.summary`).run(
          [threadKey, keepFromSeq, writeMessage(summary)],
        );
      }),
    callStarted: (threadKey, intent) =>
      file.write(({ sql }) => {
        const { callId, turnId, tool, digest, args, replay, at } = intent;
        // A provider may reuse an id in a later turn, and a repeatable call starts anew.
        sql(`INSERT OR REPLACE INTO calls (thread_key, call_id, turn_id, tool, digest, args, replay, started_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`).run([
          threadKey,
          callId,
          turnId,
          tool,
          digest,
          JSON.stringify(args),
          replay,
          at,
        ]);
      }),
    callEnded: (threadKey, callId, result) =>
      file.write((handle) => {
        handle
          .sql('UPDATE calls SET ended = 1 WHERE thread_key = ? AND call_id = ?')
          .run([threadKey, callId]);
        appendMessages(handle, threadKey, [result]);
      }),
    openCalls: (threadKey) =>
      file.use(({ sql }) =>
        sql('SELECT * FROM calls WHERE thread_key = ? AND ended = 0 ORDER BY rowid')
          .all([threadKey])
          .map(intentOf),
      ),
  };
}
