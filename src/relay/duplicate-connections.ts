/**
 * One identity is one program at a time (F18): a copy of a data folder, or an agent imported on two
 * computers, must not answer everything twice. The connected program stays if it is alive; the new one gets
 * an error and disconnects. A connection that does not respond in time is stale and is closed.
 */
import type { Clock } from '../core/ports.ts';

export interface Rival {
  /** Identifies one process; `null` if an older client sends none. */
  readonly instance: string | null;
  readonly agent: boolean;
  /** Calls `alive` with the next frame it receives. */
  challenge(alive: () => void): void;
  terminate(): void;
}

/** The handshake must complete within five seconds. */
const answerMs = 2_500;

/** A person may have several windows of a client that sends no instance; an agent is one program. */
export function areRivals(a: Rival, b: Rival): boolean {
  if (a.instance === null && b.instance === null) return false;
  if (a.instance === b.instance) return false;
  return a.agent || (a.instance !== null && b.instance !== null);
}

/** `settled` gets false if one of them is alive; otherwise all of them are terminated before the call. */
export function settleRivals(
  rivals: readonly Rival[],
  clock: Clock,
  settled: (mayStay: boolean) => void,
): void {
  if (rivals.length === 0) {
    settled(true);
    return;
  }
  let over = false;
  const end = (mayStay: boolean): void => {
    if (over) return;
    over = true;
    timer.cancel();
    if (mayStay) for (const rival of rivals) rival.terminate();
    settled(mayStay);
  };
  const timer = clock.after(answerMs, () => end(true), { unref: true });
  for (const rival of rivals) rival.challenge(() => end(false));
}
