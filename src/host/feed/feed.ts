/**
 * The feed: each topic keeps one state; a subscriber gets a snapshot with a revision, then patches of
 * consecutive revisions. Streamed text is batched, so a fast model causes one patch per frame instead of one
 * per token. A topic with an expensive state is built for its first subscriber and dropped after the last.
 */

import { applyPatch } from '../../contract/apply-patch.ts';
import type { FeedSink } from '../../contract/host-api.ts';
import type { PatchOp } from '../../contract/patch.ts';
import type { Clock, Timer } from '../../core/ports.ts';
import { say } from '../../language/say.ts';

/** Batching delay of streamed text in ms. */
const gatherMs = 25;

export interface FeedTopic<S> {
  state(): S;
  /** Sent at once, after the batched text. */
  patch(ops: readonly PatchOp[]): void;
  /** Streamed text, sent within 25 ms. */
  append(path: readonly (string | number)[], text: string): void;
  subscribe(sink: FeedSink): () => void;
  subscribers(): number;
  /** Tells every subscriber that the host stops. */
  end(): void;
}

const samePath = (a: readonly (string | number)[], b: readonly (string | number)[]): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index]);

/** Merges consecutive appends to the same path into one operation. */
function gather(waiting: PatchOp[], path: readonly (string | number)[], text: string): void {
  const last = waiting.at(-1);
  if (last?.op === 'append' && samePath(last.path, path)) {
    waiting[waiting.length - 1] = { op: 'append', path: [...path], text: last.text + text };
  } else {
    waiting.push({ op: 'append', path: [...path], text });
  }
}

export function createFeedTopic<S>(options: {
  readonly clock: Clock;
  readonly initial: S;
  readonly onIdle?: () => void;
}): FeedTopic<S> {
  let state = options.initial;
  let revision = 0;
  let waiting: PatchOp[] = [];
  let timer: Timer | null = null;
  const sinks = new Set<FeedSink>();

  const flush = (): void => {
    timer?.cancel();
    timer = null;
    if (waiting.length === 0) return;
    const ops = waiting;
    waiting = [];
    state = applyPatch(state, ops);
    revision += 1;
    for (const sink of sinks) sink({ type: 'patch', revision, ops });
  };

  return {
    state() {
      flush();
      return state;
    },
    patch(ops) {
      if (ops.length === 0) return;
      waiting.push(...ops);
      flush();
    },
    append(path, text) {
      gather(waiting, path, text);
      timer ??= options.clock.after(gatherMs, flush, { unref: true });
    },
    subscribe(sink) {
      flush();
      sinks.add(sink);
      sink({ type: 'snapshot', revision, state });
      return () => {
        if (sinks.delete(sink) && sinks.size === 0) options.onIdle?.();
      };
    },
    subscribers: () => sinks.size,
    end() {
      flush();
      const leaving = [...sinks];
      sinks.clear();
      for (const sink of leaving) sink({ type: 'end', reason: say('host.kennelStopping') });
    },
  };
}
