/**
 * Nobody's message is thrown away because a registry lags behind its own server: what is unknown is looked at a second
 * time, a while later, before that is the verdict. Bounded: a flood of inventions is refused at once.
 */
import type { Clock } from '../../core/ports.ts';

export interface SecondLook {
  /** True: leave it on the server and look again. False: it has had its second look. */
  due(envelopeId: string): boolean;
  /** It was decided in another way. */
  settled(envelopeId: string): void;
}

/** ms between the looks, at least; less than the wait after which what was left is fetched again. */
const apartMs = 2_000;
const maxWaiting = 1_000;
/** What never came back gives up its place after this many ms. */
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
