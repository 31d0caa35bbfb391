/** Finds the next box for arrow keys. */
import type { Box } from './layout.ts';

/** Weight of the crosswise distance, which keeps the selection in its row or column. */
const crosswise = 3;

/** Returns the nearest box in a direction (-1, 0 or 1 per axis), or `null` if none. */
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
