/**
 * Limits the working time of a turn. Time with an open approval does not count, so a slow answer never ends a
 * turn.
 */
import type { Clock, Timer } from '../ports.ts';

export class TurnClock {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #leftMs: number;
  #runsSince: number | null = null;
  #timer: Timer | null = null;
  #pauses = 0;

  constructor(clock: Clock, ms: number, onEnd: () => void) {
    this.#clock = clock;
    this.#leftMs = ms;
    this.#onEnd = onEnd;
    this.#go();
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1 || this.#runsSince === null) return;
    this.#leftMs -= this.#clock.monotonic() - this.#runsSince;
    this.#halt();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.#go();
  }

  stop(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    this.#halt();
  }

  #go(): void {
    this.#runsSince = this.#clock.monotonic();
    this.#timer = this.#clock.after(Math.max(0, this.#leftMs), this.#onEnd);
  }

  #halt(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#runsSince = null;
  }
}
