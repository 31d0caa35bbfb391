/** Screen position of the window for a single approval, and the approval id in its address. */
import type { Rectangle } from './window-place.ts';

const prefix = '#/approval/';

export const questionRoute = (id: string): string => `${prefix}${encodeURIComponent(id)}`;

/** Returns `null` for any other route and for an invalid address. */
export function questionShown(address: string): string | null {
  const at = address.indexOf(prefix);
  if (at < 0) return null;
  try {
    return decodeURIComponent(address.slice(at + prefix.length)) || null;
  } catch {
    return null;
  }
}

const wanted = { width: 480, height: 600 } as const;
/** Distance from the edges of the screen, in px. */
const inset = 16;

/** The corner in which the system shows notifications: top right, on Windows bottom right. */
export function cornerPlace(area: Rectangle, platform: string): Rectangle {
  const width = Math.min(wanted.width, area.width - 2 * inset);
  const height = Math.min(wanted.height, area.height - 2 * inset);
  return {
    x: area.x + area.width - width - inset,
    y: platform === 'win32' ? area.y + area.height - height - inset : area.y + inset,
    width,
    height,
  };
}
