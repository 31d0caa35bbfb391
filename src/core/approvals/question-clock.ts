/**
 * Wakes when the next question expires or has been quiet for long enough; asleep while nothing waits. It also tells how
 * far the wall clock was set, so that a question lives as long as it was told, whatever the clock does (F8).
 */
import type { Approval } from '../../contract/consent.ts';
import type { Clock, Timer } from '../ports.ts';

/** The wall clock may jump, and timers have a longest wait: looked at least this often while something waits. */
const longestMs = 600_000;
/** What is over and could not be written down as such is tried again after this. */
const againMs = 3_000;
/** Less is a clock that is kept right bit by bit. */
const jumpMs = 20_000;

export class QuestionClock {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #timer: Timer | null = null;
  #stopped = false;
  /** How far the wall clock is ahead of the one that only goes forward. */
  #ahead: number;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
    this.#ahead = clock.now() - clock.monotonic();
  }

  /** `unfinished`: something is over and could not be written down as such. */
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

  /** ms by which the wall clock was set, or the machine slept, since this was asked last; 0 when it just went on. */
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
