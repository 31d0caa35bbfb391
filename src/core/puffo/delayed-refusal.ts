/**
 * Delays the refusal of a message while the registry may lag behind its own server: an unknown entry is
 * checked a second time, a while later. Bounded: a flood of invented entries is refused at once.
 */
import type { Clock } from '../ports.ts';

export interface SecondLook {
  /** True if the message must stay on the server for a second check; false if that has happened. */
  due(envelopeId: string): boolean;
  /** Called if the message was decided otherwise. */
  settled(envelopeId: string): void;
}

/** Minimum ms between the checks; less than the wait before undecided messages are fetched again. */
const apartMs = 2_000;
const maxWaiting = 1_000;
/** ms after which a message that never came back is forgotten. */
const lostAfterMs = 10 * 60_000;

export function createSecondLook(clock: Clock): SecondLook {
  const firstSeen = new Map<string, number>();
  const makeRoom = (now: number): boolean => {
    if (firstSeen.size < maxWaiting) return true;
    for (const [id, at] of firstSeen) if (now - at > lostAfterMs) firstSeen.delete(id);
    return firstSeen.size < maxWaiting;
  };
  return {
    due(envelopeId) {
      const now = clock.monotonic();
      const at = firstSeen.get(envelopeId);
      if (at === undefined) {
        if (!makeRoom(now)) return false;
        firstSeen.set(envelopeId, now);
        return true;
      }
      if (now - at < apartMs) return true;
      firstSeen.delete(envelopeId);
      return false;
    },
    settled: (envelopeId) => void firstSeen.delete(envelopeId),
  };
}
