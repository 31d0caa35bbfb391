/** Waits on an injected clock that a signal can end early, and a race that leaves no listener behind. */
import type { Clock } from '../ports.ts';

/**
 * Resolves to true after `ms`, at once for `ms` <= 0, and to false as soon as `signal` aborts; never rejects.
 */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  if (ms <= 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve(true);
    });
    const stop = (): void => {
      timer.cancel();
      resolve(false);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

export type Raced<T> =
  | { readonly type: 'value'; readonly value: T }
  | { readonly type: 'aborted' }
  | { readonly type: 'timeout' };

/** Waits for `work` at most `ms`; a late rejection of `work` is ignored. */
export function raceAgainst<T>(
  work: Promise<T>,
  clock: Clock,
  ms: number,
  signal: AbortSignal,
): Promise<Raced<T>> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      timer.cancel();
      signal.removeEventListener('abort', abort);
      act();
    };
    const abort = (): void => settle(() => resolve({ type: 'aborted' }));
    const timer = clock.after(ms, () => settle(() => resolve({ type: 'timeout' })));
    work.then(
      (value) => settle(() => resolve({ type: 'value', value })),
      (error: unknown) => settle(() => reject(error)),
    );
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
