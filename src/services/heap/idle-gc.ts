/**
 * Returns memory to the system once the host is idle. V8 keeps the heap of a burst of work (starting many
 * agents leaves five times what is in use) and, on Node, never learns that the burst is over. One full
 * collection in an idle period returns it; none runs while any work is active. Memory that native code freed is returned
 * then, and during work after a growth.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock, Log } from '../../core/ports.ts';

export interface HeapRestDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** True if no work or start is in progress. */
  readonly isQuiet: () => boolean;
  /** Returns memory that native code freed to the system; takes some ms. */
  readonly releaseNative: () => void;
  /** Replaced in tests. */
  readonly memory?: ProcessMemory;
}

export interface ProcessMemory {
  /** Heap bytes that V8 holds. */
  heldBytes(): number;
  /** Memory of the whole process in bytes. */
  residentBytes(): number;
  /** A full collection that also shrinks the heap. */
  collect(): void;
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

const ofThisProcess: ProcessMemory = {
  heldBytes: () => process.memoryUsage().heapTotal,
  residentBytes: process.memoryUsage.rss,
  collect: collectWithV8,
};

/** Returns a function that stops the checks. */
export function startHeapRest(deps: HeapRestDeps): () => void {
  const { clock, log, isQuiet, releaseNative } = deps;
  const { heldBytes, residentBytes, collect } = deps.memory ?? ofThisProcess;
  let quietLooks = 0;
  let heldAfter = emptyHostBytes;
  let residentAfter = 0;
  const release = (): void => {
    releaseNative();
    residentAfter = residentBytes();
  };
  const giveBack = (): void => {
    const held = heldBytes();
    collect();
    release();
    heldAfter = Math.max(emptyHostBytes, heldBytes());
    log.debug('memory_given_back', { before: held, after: heldAfter });
  };
  const look = (): void => {
    timer = clock.after(lookMs, look, { unref: true });
    quietLooks = isQuiet() ? quietLooks + 1 : 0;
    const isRested = quietLooks >= looksAtRest;
    if (isRested && heldBytes() >= heldAfter + worthBytes) giveBack();
    else if (residentBytes() >= residentAfter + worthBytes) release();
  };
  const afterStart = (): void => {
    timer = clock.after(lookMs, look, { unref: true });
    if (isQuiet()) giveBack();
  };
  let timer = clock.after(startedMs, afterStart, { unref: true });
  return () => timer.cancel();
}
