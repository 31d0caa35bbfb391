import type { Clock } from '../core/ports.ts';

const pollMs = 25;

/** Looks again and again until `done` holds, at most for `ms`; tells whether it held. */
export async function waitUntil(
  clock: Clock,
  ms: number,
  done: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const end = clock.monotonic() + ms;
  while (clock.monotonic() < end) {
    if (await done()) return true;
    await new Promise<void>((resolve) => clock.after(pollMs, resolve));
  }
  return false;
}
