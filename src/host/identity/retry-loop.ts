import { backoffMs } from '../../core/lib/backoff.ts';
import type { Clock, Log, Random, Timer } from '../../core/ports.ts';

const retryPolicy = { firstMs: 5_000, maxMs: 300_000 };

export interface RetryLoopDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Repeats a pass over pending work; passes never overlap. */
export interface RetryLoop {
  /** Resolves after a pass that began after this call. */
  run(): Promise<void>;
  isStopped(): boolean;
  stop(): void;
}

/** `pass` returns true if work is left; it is then repeated with back-off, as after an exception. */
export type CreateRetryLoop = (work: string, pass: () => Promise<boolean>) => RetryLoop;

export function retryLoops({ clock, random, log }: RetryLoopDeps): CreateRetryLoop {
  return (work, pass) => {
    let running: Promise<void> = Promise.resolve();
    let attempts = 0;
    let timer: Timer | null = null;
    let isStopped = false;

    const once = async (): Promise<void> => {
      timer?.cancel();
      if (isStopped) return;
      const isWorkLeft = await pass().catch((error: unknown) => {
        log.error('retry_failed', { work, error });
        return true;
      });
      attempts = isWorkLeft ? attempts + 1 : 0;
      if (!isWorkLeft || isStopped) return;
      const ms = backoffMs(retryPolicy, attempts, random.fraction());
      timer = clock.after(ms, () => void run(), { unref: true });
    };
    const run = (): Promise<void> => {
      running = running.then(once);
      return running;
    };
    return {
      run,
      isStopped: () => isStopped,
      stop() {
        isStopped = true;
        timer?.cancel();
      },
    };
  };
}
