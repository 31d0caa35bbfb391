/** Waits on the injected clock. */
import type { Clock } from '../../core/ports.ts';

/** Resolves to false if `signal` aborted the wait. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
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

/** Yields to sockets, timers and other accounts. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
