/** Wakes when the next question expires or has been quiet for long enough; asleep while nothing waits. */
import type { Approval } from '../../contract/consent.ts';
import type { Clock, Timer } from '../ports.ts';

/** The wall clock may jump, and timers have a longest wait: looked at least this often while something waits. */
const longestMs = 600_000;

export class QuestionClock {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #timer: Timer | null = null;
  #stopped = false;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  due(waiting: readonly Pick<Approval, 'expiresAt' | 'quietUntil'>[]): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#stopped || waiting.length === 0) return;
    const now = this.#clock.now();
    const moments = waiting.flatMap(({ expiresAt, quietUntil }) =>
      quietUntil !== null && quietUntil > now ? [expiresAt, quietUntil] : [expiresAt],
    );
    const wait = Math.min(longestMs, Math.max(1, Math.min(...moments) - now));
    this.#timer = this.#clock.after(wait, this.#wake, { unref: true });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#timer = null;
  }
}
