/**
 * One timer for all connections: each is pinged once per period, spread evenly, so that idle connections
 * cause no bursts.
 */
import type { Clock, Timer } from '../core/ports.ts';

const slots = 20;

export class PingWheel<T> {
  readonly #slots: Set<T>[] = Array.from({ length: slots }, () => new Set<T>());
  readonly #clock: Clock;
  readonly #tickMs: number;
  readonly #visit: (item: T) => void;
  #next = 0;
  #added = 0;
  #timer: Timer | null = null;

  constructor(clock: Clock, periodMs: number, visit: (item: T) => void) {
    this.#clock = clock;
    this.#tickMs = Math.max(1, Math.round(periodMs / slots));
    this.#visit = visit;
  }

  add(item: T): void {
    this.#slots[this.#added % slots]?.add(item);
    this.#added += 1;
    this.#timer ??= this.#arm();
  }

  remove(item: T): void {
    for (const slot of this.#slots) slot.delete(item);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    for (const slot of this.#slots) slot.clear();
  }

  #arm(): Timer {
    return this.#clock.after(this.#tickMs, () => this.#tick(), { unref: true });
  }

  #tick(): void {
    for (const item of [...(this.#slots[this.#next] ?? [])]) this.#visit(item);
    this.#next = (this.#next + 1) % slots;
    this.#timer = this.#slots.some((slot) => slot.size > 0) ? this.#arm() : null;
  }
}
