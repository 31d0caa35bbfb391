/** Position of the window: stored across restarts, and restored only if a screen still shows it. */
import { z } from 'zod';

const rectangleSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(200).max(20_000),
  height: z.number().int().min(200).max(20_000),
});
export type Rectangle = z.output<typeof rectangleSchema>;

export const windowPlaceSchema = z.object({ bounds: rectangleSchema, maximized: z.boolean() });
export type WindowPlace = z.output<typeof windowPlaceSchema>;

/** Part of the title bar that must be visible, in px. */
const reach = { width: 100, height: 40 } as const;

const overlap = (aFrom: number, aSize: number, bFrom: number, bSize: number): number =>
  Math.min(aFrom + aSize, bFrom + bSize) - Math.max(aFrom, bFrom);

/**
 * Returns `null` if the title bar would be off screen, for example after a screen was removed. `screens` are
 * work areas.
 */
export function placeInSight(bounds: Rectangle, screens: readonly Rectangle[]): Rectangle | null {
  const title = { ...bounds, height: reach.height };
  const seen = screens.find(
    (screen) =>
      overlap(title.x, title.width, screen.x, screen.width) >= reach.width &&
      overlap(title.y, title.height, screen.y, screen.height) >= reach.height,
  );
  if (!seen) return null;
  return {
    ...bounds,
    width: Math.min(bounds.width, seen.width),
    height: Math.min(bounds.height, seen.height),
  };
}
