/**
 * Returns memory to the system once the host is idle. V8 keeps the heap of a burst of work (starting many
 * agents leaves five times what is in use) and, on Node, never learns that the burst is over. One full
 * collection in an idle period returns it; none runs while any work is active.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock, Log } from '../../core/ports.ts';

export interface HeapRestDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** True if no work or start is in progress. */
  readonly isQuiet: () => boolean;
  /** Heap bytes that V8 holds; `process.memoryUsage` when absent. */
  readonly heldBytes?: () => number;
  /** A full collection that also shrinks the heap; V8's own when absent. */
  readonly collect?: () => void;
}

const lookMs = 15_000;
/** The start leaves temporary memory; it is over by then. */
const startedMs = 3_000;
/** Number of consecutive idle checks. */
const looksAtRest = 2;
/** Minimum growth since the last collection that makes another one worthwhile. */
const worthBytes = 24 * 1024 * 1024;
/** Approximate heap of an empty host. */
const emptyHostBytes = 40 * 1024 * 1024;

function collectWithV8(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Returns a function that stops the checks. */
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
