/**
 * Lets programs start one after the other, each once the memory for it is free: many agents that wake together
 * would otherwise use up the memory of the computer while they start.
 */
import type { Clock } from '../../core/ports.ts';

/** Bytes that a program of an agent needs; the largest measured one uses 525 MB. */
const neededBytes = 512 * 1024 * 1024;
/** ms in which a started program takes its memory. */
const growsMs = 4_000;
/** ms between two looks. */
const lookMs = 250;
/** ms after which a program starts anyway: on a small computer the memory may never be free. */
const patienceMs = 30_000;

export interface StartQueueDeps {
  readonly clock: Clock;
  /** Bytes that programs can still take. */
  readonly availableBytes: () => number;
}

/** Resolves when the caller may start its program. */
export function createStartQueue({ clock, availableBytes }: StartQueueDeps): () => Promise<void> {
  /** Starts whose programs still take their memory, as times on the monotonic clock. */
  let growing: number[] = [];
  let last: Promise<void> = Promise.resolve();
  const fits = (): boolean => {
    const now = clock.monotonic();
    growing = growing.filter((at) => now - at < growsMs);
    return availableBytes() >= (growing.length + 1) * neededBytes;
  };
  const wait = async (): Promise<void> => {
    for (const until = clock.monotonic() + patienceMs; !fits() && clock.monotonic() < until; )
      await new Promise<void>((resolve) => clock.after(lookMs, resolve, { unref: true }));
    growing.push(clock.monotonic());
  };
  return () => {
    last = last.then(wait);
    return last;
  };
}
