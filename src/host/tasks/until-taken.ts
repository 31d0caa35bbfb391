import { despiteStore } from '../../core/lib/store-error.ts';
import type { Clock } from '../../core/ports.ts';

/** ms before a store that failed is asked again. */
const restMs = 10_000;

export interface UntilTaken {
  /** Now, and again until the store has taken it: for what nobody else would tell it of before the next start. */
  take(work: () => void): void;
  /** Nothing is tried any more. */
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
