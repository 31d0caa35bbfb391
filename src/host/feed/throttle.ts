import type { Clock, Timer } from '../../core/ports.ts';

/** Runs `work` once per burst of calls, `ms` after the first one. */
export function createThrottle(
  clock: Clock,
  ms: number,
  work: () => void,
): { request(): void; cancel(): void } {
  let timer: Timer | null = null;
  return {
    request() {
      timer ??= clock.after(
        ms,
        () => {
          timer = null;
          work();
        },
        { unref: true },
      );
    },
    cancel() {
      timer?.cancel();
      timer = null;
    },
  };
}
