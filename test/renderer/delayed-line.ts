/**
 * A line to the page with random delays, for `KENNEL_TEST_DELAYS=SEED`: what the host sends arrives late and in
 * another order than it was sent, as from a busy host. Messages of one subscription keep their order.
 */
import { createSeededRandom } from '../fakes/seeded-random.ts';

const longestMs = 150;

const seed = process.env.KENNEL_TEST_DELAYS;

/** Runs `deliver` later, after what was given before it with the same key. */
type Line = (key: string, deliver: () => void) => void;

export function createLine(): Line {
  if (seed === undefined) return (_key, deliver) => deliver();
  const random = createSeededRandom(Number(seed));
  const waiting = new Map<string, { due: number; deliver: () => void }[]>();
  return (key, deliver) => {
    const queue = waiting.get(key) ?? [];
    waiting.set(key, queue);
    const now = performance.now();
    const due = Math.max(queue.at(-1)?.due ?? 0, now + random.fraction() * longestMs);
    queue.push({ due, deliver });
    setTimeout(() => queue.shift()?.deliver(), due - now);
  };
}
