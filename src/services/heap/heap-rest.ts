/**
 * Gives memory back to the machine once the host has come to rest. V8 keeps what a burst of work needed (a start of
 * many agents leaves five times what is in use) and, on Node, is never told that nothing more is coming. One full
 * collection in a quiet moment returns it; while anything works, none is asked for.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock, Log } from '../../core/ports.ts';

export interface HeapRestDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Nothing works or starts just now. */
  readonly isQuiet: () => boolean;
  /** Bytes that V8 holds from the machine; `process.memoryUsage` when absent. */
  readonly heldBytes?: () => number;
  /** A full collection that also shrinks the heap; V8's own when absent. */
  readonly collect?: () => void;
}

const lookMs = 15_000;
/** The start leaves more behind than what stays; it is over by then. */
const startedMs = 3_000;
/** Quiet for so many looks in a row. */
const looksAtRest = 2;
/** A collection must be worth it: more than this above what was held after the last one. */
const worthBytes = 24 * 1024 * 1024;
/** An empty host holds about so much. */
const emptyHostBytes = 40 * 1024 * 1024;

function collectWithV8(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Returns how to stop. */
export function startHeapRest(deps: HeapRestDeps): () => void {
  const { clock, log, isQuiet } = deps;
  const heldBytes = deps.heldBytes ?? (() => process.memoryUsage().heapTotal);
  const collect = deps.collect ?? collectWithV8;
  let quietLooks = 0;
  let heldAfter = emptyHostBytes;
  const giveBack = (): void => {
    const held = heldBytes();
    collect();
    heldAfter = Math.max(emptyHostBytes, heldBytes());
    log.debug('memory_given_back', { before: held, after: heldAfter });
  };
  const look = (): void => {
    timer = clock.after(lookMs, look, { unref: true });
    quietLooks = isQuiet() ? quietLooks + 1 : 0;
    if (quietLooks >= looksAtRest && heldBytes() >= heldAfter + worthBytes) giveBack();
  };
  const afterStart = (): void => {
    timer = clock.after(lookMs, look, { unref: true });
    if (isQuiet()) giveBack();
  };
  let timer = clock.after(startedMs, afterStart, { unref: true });
  return () => timer.cancel();
}
