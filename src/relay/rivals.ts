/**
 * One identity is one program at a time (F18): a copy of a data folder, or an agent imported on two computers, must not
 * answer everything twice. Whoever is connected and alive stays; the newcomer is told and yields. A connection that gives
 * no sign of life in time was only left over, and makes room.
 */
import type { Clock } from '../core/ports.ts';

export interface Rival {
  /** One run of one program; null where a client of before does not say. */
  readonly instance: string | null;
  readonly agent: boolean;
  /** Calls back with the next thing that it says. */
  challenge(alive: () => void): void;
  terminate(): void;
}

/** The handshake has to be through within five seconds. */
const answerMs = 2_500;

/** A person may have several windows of a client that does not tell them apart; an agent is one program. */
export function areRivals(a: Rival, b: Rival): boolean {
  if (a.instance === null && b.instance === null) return false;
  if (a.instance === b.instance) return false;
  return a.agent || (a.instance !== null && b.instance !== null);
}

/** `settled` gets false when one of them is alive; otherwise all of them are gone when it is called. */
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
