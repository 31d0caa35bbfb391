import { backoffMs } from '../../core/lib/backoff.ts';
import type { Clock, Log, Random, Timer } from '../../core/ports.ts';
import type { Begun } from './start-configured.ts';

const retryPolicy = { firstMs: 5_000, maxMs: 300_000 };

export interface RetryStartDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly isStopping: () => boolean;
  readonly start: () => Promise<Begun>;
  readonly onStarted: (state: Begun['state']) => void;
}

/** Starts the configured parts; calls run one after the other, and failed parts are retried with back-off. */
export interface RetryStart {
  run(): Promise<void>;
  cancel(): void;
}

export function createRetryStart(deps: RetryStartDeps): RetryStart {
  const { clock, random, log, isStopping } = deps;
  let last: Promise<void> = Promise.resolve();
  let retry: Timer | null = null;
  let attempts = 0;

  const runOnce = async (): Promise<void> => {
    retry?.cancel();
    if (isStopping()) return;
    const begun = await deps.start();
    if (isStopping()) return;
    deps.onStarted(begun.state);
    if (!begun.again) return;
    const ms = backoffMs(retryPolicy, attempts, random.fraction());
    attempts += 1;
    retry = clock.after(ms, () => {
      run().catch((error: unknown) => log.error('start_again_failed', { error }));
    });
  };
  const run = (): Promise<void> => {
    last = last.catch(() => undefined).then(runOnce);
    return last;
  };
  return { run, cancel: () => retry?.cancel() };
}
