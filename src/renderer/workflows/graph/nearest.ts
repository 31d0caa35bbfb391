/** Walking a graph with arrow keys. */
import type { Box } from './layout.ts';

/** What lies crosswise counts more than what lies ahead, so that the walk stays in its column. */
const crosswise = 3;

/** The nearest box in a direction (-1, 0 or 1 each way); null: there is none. */
export function nearest(boxes: readonly Box[], from: Box, [dx, dy]: readonly [number, number]): Box | null {
  let best: Box | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const box of boxes) {
    const [x, y] = [box.x - from.x, box.y - from.y];
    const ahead = x * dx + y * dy;
    if (ahead <= 0) continue;
    const far = ahead + crosswise * Math.abs(x * dy + y * dx);
    if (far < least) [best, least] = [box, far];
  }
  return best;
}
