import type { Clock } from '../core/ports.ts';

const pollMs = 25;

/** Polls until `done` returns true, for `ms` at most; returns whether it did. */
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
