/**
 * Events that wait for the next write of their run, so that steps which change nothing outside share one sync of the disk:
 * for a moment only, and not many, since a program that is killed loses them.
 */
import type { Clock, Timer } from '../../ports.ts';
import type { HeldEvent } from './engine-ports.ts';

/** Held back at most this long, in ms, and so many. */
const soonMs = 50;
const mostHeld = 64;

export interface HeldEvents {
  readonly events: readonly HeldEvent[];
  add(event: HeldEvent): void;
  /** They have been written. */
  clear(): void;
  /** Nobody is to write them any more. */
  close(): void;
}

/** `flush` is the write that comes when no other does. */
export function createHeldEvents(clock: Clock, flush: () => void): HeldEvents {
  const events: HeldEvent[] = [];
  let timer: Timer | null = null;
  const close = (): void => {
    timer?.cancel();
    timer = null;
  };
  const flushNow = (): void => {
    timer = null;
    try {
      flush();
    } catch {
      // Whoever writes next meets the same and tells it.
    }
  };
  return {
    events,
    add(event) {
      events.push(event);
      if (events.length >= mostHeld) flush();
      else timer ??= clock.after(soonMs, flushNow, { unref: true });
    },
    clear() {
      close();
      events.length = 0;
    },
    close,
  };
}
