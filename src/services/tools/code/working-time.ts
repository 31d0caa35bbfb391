/** A time limit that does not count while calls of the work wait for their end, for example for an answer of a person. */
import type { Clock, Timer } from '../../../core/ports.ts';

export class WorkingTime {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #leftMs: number;
  #since = 0;
  #timer: Timer | null = null;
  #open = 0;
  #isOver = false;

  constructor(clock: Clock, limitMs: number, onEnd: () => void) {
    this.#clock = clock;
    this.#leftMs = limitMs;
    this.#onEnd = onEnd;
    this.#start();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  async outside<T>(work: () => Promise<T>): Promise<T> {
    if (this.#open === 0) this.#pause();
    this.#open += 1;
    try {
      return await work();
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#start();
    }
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#leftMs = Number.POSITIVE_INFINITY;
  }

  #start(): void {
    if (this.#leftMs === Number.POSITIVE_INFINITY) return;
    this.#since = this.#clock.monotonic();
    this.#timer = this.#clock.after(this.#leftMs, () => {
      this.#isOver = true;
      this.#onEnd();
    });
  }

  #pause(): void {
    this.#timer?.cancel();
    this.#leftMs = Math.max(1, this.#leftMs - (this.#clock.monotonic() - this.#since));
  }
}
