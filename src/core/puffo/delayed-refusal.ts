/**
 * Delays the refusal of a message while the registry may lag behind its own server: an unknown entry is
 * checked a second time, a while later. Bounded: a flood of invented entries is refused at once.
 */
import type { Clock } from '../ports.ts';

/** Minimum ms between the checks; less than the wait before undecided messages are fetched again. */
const apartMs = 2_000;
const maxWaiting = 1_000;
/** ms after which a message that never came back is forgotten. */
const lostAfterMs = 10 * 60_000;

export class SecondLook {
  readonly #clock: Clock;
  readonly #firstSeen = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True if the message must stay on the server for a second check; false if that has happened. */
  due(envelopeId: string): boolean {
    const now = this.#clock.monotonic();
    const at = this.#firstSeen.get(envelopeId);
    if (at === undefined) {
      if (!this.#makeRoom(now)) return false;
      this.#firstSeen.set(envelopeId, now);
      return true;
    }
    if (now - at < apartMs) return true;
    this.#firstSeen.delete(envelopeId);
    return false;
  }

  /** Called if the message was decided otherwise. */
  settled(envelopeId: string): void {
    this.#firstSeen.delete(envelopeId);
  }

  #makeRoom(now: number): boolean {
    const seen = this.#firstSeen;
    if (seen.size < maxWaiting) return true;
    for (const [id, at] of seen) if (now - at > lostAfterMs) seen.delete(id);
    return seen.size < maxWaiting;
  }
}
