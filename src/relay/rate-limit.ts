/** Token buckets by key (a slug or an address); a full bucket is deleted. */
import type { Clock } from '../core/ports.ts';

interface Bucket {
  tokens: number;
  at: number;
}

export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perSecond: number;

  constructor(clock: Clock, burst: number, perSecond: number) {
    this.#clock = clock;
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Takes one token; false if none is left. */
  take(key: string): boolean {
    const bucket = this.#refilled(key);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    this.#buckets.set(key, bucket);
    return true;
  }

  /** True if `take` would succeed; takes nothing. */
  allows(key: string): boolean {
    return this.#refilled(key).tokens >= 1;
  }

  /** Whole seconds until the next token. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(1 / this.#perSecond));
  }

  /** Deletes full buckets. */
  sweep(): void {
    for (const key of this.#buckets.keys()) {
      if (this.#refilled(key).tokens >= this.#burst) this.#buckets.delete(key);
    }
  }

  #refilled(key: string): Bucket {
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(key);
    if (!bucket) return { tokens: this.#burst, at: now };
    const grown = ((now - bucket.at) / 1000) * this.#perSecond;
    bucket.tokens = Math.min(this.#burst, bucket.tokens + grown);
    bucket.at = now;
    return bucket;
  }
}
