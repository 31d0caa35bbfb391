/** A transcript store in memory that behaves like the SQLite one, without durability. */
import type { TranscriptMessage } from '../../src/core/models/messages.ts';
import type { CallIntent, TranscriptEntry, TranscriptStore } from '../../src/core/models/transcript-store.ts';

export interface MemoryTranscriptStore extends TranscriptStore {
  /** Ends the open turn, which closes all of its calls. */
  endAll(threadKey: string): void;
  /** Makes the next write throw this error. */
  failNext(error: Error): void;
}

interface Thread {
  entries: TranscriptEntry[];
  seq: number;
  from: number;
  summary: TranscriptMessage | null;
  readonly calls: Map<string, CallIntent>;
}

export function createMemoryTranscriptStore(): MemoryTranscriptStore {
  const threads = new Map<string, Thread>();
  let failure: Error | null = null;
  const threadOf = (key: string): Thread => {
    const known = threads.get(key) ?? { entries: [], seq: 0, from: 0, summary: null, calls: new Map() };
    threads.set(key, known);
    return known;
  };
  const write = (): void => {
    const error = failure;
    failure = null;
    if (error) throw error;
  };
  const append = (key: string, messages: readonly TranscriptMessage[]): void => {
    const thread = threadOf(key);
    for (const message of messages) {
      thread.seq += 1;
      thread.entries.push({ seq: thread.seq, message: structuredClone(message) });
    }
  };
  return {
    failNext: (error) => {
      failure = error;
    },
    endAll: (key) => threadOf(key).calls.clear(),
    load(key) {
      const { entries, from, summary } = threadOf(key);
      const kept = entries.filter((entry) => entry.seq >= from);
      return summary ? [{ seq: from - 1, message: summary }, ...kept] : kept;
    },
    append(key, messages) {
      if (messages.length === 0) return;
      write();
      append(key, messages);
    },
    compact(key, keepFromSeq, summary) {
      write();
      const thread = threadOf(key);
      thread.from = keepFromSeq;
      thread.summary = summary;
    },
    callStarted(key, intent) {
      write();
      const { calls } = threadOf(key);
      calls.delete(intent.callId);
      calls.set(intent.callId, intent);
    },
    callEnded(key, callId, result) {
      write();
      threadOf(key).calls.delete(callId);
      append(key, [result]);
    },
    openCalls: (key) => [...threadOf(key).calls.values()],
  };
}
