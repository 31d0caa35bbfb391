/**
 * Wakes at the next expiry or end of a snooze; idle while no question waits. It also detects changes of the
 * wall clock, so that a question waits for its announced time (F8).
 */
import type { Approval } from '../../contract/approvals.ts';
import type { Clock, Timer } from '../ports.ts';

/** Longest sleep in ms while questions wait, because the wall clock may jump and timers have a maximum. */
const longestMs = 600_000;
/** Delay in ms before retrying a failed write of an ended question. */
const againMs = 3_000;
/** Smaller differences are gradual clock corrections. */
const jumpMs = 20_000;

export class QuestionExpiry {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #timer: Timer | null = null;
  #stopped = false;
  /** Difference between the wall clock and the monotonic clock, in ms. */
  #ahead: number;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
    this.#ahead = clock.now() - clock.monotonic();
  }

  /** `unfinished`: the write of an ended question failed. */
  due(waiting: readonly Pick<Approval, 'expiresAt' | 'quietUntil'>[], unfinished: boolean): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#stopped || waiting.length === 0) return;
    const now = this.#clock.now();
    const moments = waiting.flatMap(({ expiresAt, quietUntil }) =>
      quietUntil !== null && quietUntil > now ? [expiresAt, quietUntil] : [expiresAt],
    );
    const next = Math.min(...moments) - now;
    const wait = next > 0 ? Math.min(unfinished ? againMs : longestMs, next) : againMs;
    this.#timer = this.#clock.after(wait, this.#wake, { unref: true });
  }

  /** ms by which the wall clock changed, or the machine slept, since the last call; 0 if neither happened. */
  jump(): number {
    const ahead = this.#clock.now() - this.#clock.monotonic();
    const by = ahead - this.#ahead;
    this.#ahead = ahead;
    return Math.abs(by) < jumpMs ? 0 : Math.round(by);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#timer = null;
  }
}
