import type { Clock } from '../ports.ts';

/** Waits for the work, but not longer than `ms`; false if it still goes on then. Rejects if it fails before. */
export async function atMost(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: Promise<unknown>,
): Promise<boolean> {
  let expire = (): void => undefined;
  const late = new Promise<boolean>((resolve) => {
    expire = () => resolve(false);
  });
  const timer = clock.after(ms, () => expire(), { unref: true });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    timer.cancel();
  }
}
