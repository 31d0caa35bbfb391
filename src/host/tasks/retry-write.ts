import { despiteStore } from '../../core/lib/store-error.ts';
import type { Clock } from '../../core/ports.ts';

/** ms before a failed store is tried again. */
const restMs = 10_000;

export interface UntilTaken {
  /**
   * Runs the write now and retries until the store accepts it, for events that are not repeated before the
   * next start.
   */
  take(work: () => void): void;
  stop(): void;
}

export function createUntilTaken(clock: Pick<Clock, 'after'>): UntilTaken {
  let stopped = false;
  const take = (work: () => void): void => {
    if (stopped) return;
    const taken = despiteStore(() => {
      work();
      return true;
    }, false);
    if (!taken) clock.after(restMs, () => take(work), { unref: true });
  };
  return {
    take,
    stop: () => {
      stopped = true;
    },
  };
}
