/** Plans one retry after a back-off with jitter; a new plan replaces the last one. */
import { type BackoffPolicy, backoffMs } from '../../core/lib/backoff.ts';
import type { Random, Timer } from '../../core/ports.ts';
import type { Wheel } from './timer-wheel.ts';

export class RetryTimer {
  readonly #policy: BackoffPolicy;
  readonly #wheel: Wheel;
  readonly #random: Pick<Random, 'fraction'>;
  #timer: Timer | null = null;

  constructor(policy: BackoffPolicy, wheel: Wheel, random: Pick<Random, 'fraction'>) {
    this.#policy = policy;
    this.#wheel = wheel;
    this.#random = random;
  }

  /** `attempt` counts from 0; `leastMs` is the delay that the server asked for. */
  plan(attempt: number, leastMs: number, run: () => void): void {
    const backoff = backoffMs(this.#policy, attempt, this.#random.fraction());
    this.cancel();
    this.#timer = this.#wheel.after(Math.max(backoff, leastMs), run);
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }
}
