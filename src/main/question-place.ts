/** Where the window for a single question stands on the screen, and which question its address names. */
import type { Rectangle } from './window-place.ts';

const prefix = '#/approval/';

export const questionRoute = (id: string): string => `${prefix}${encodeURIComponent(id)}`;

/** Null for any other place of the page, and for an address that cannot be read. */
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
/** From the edges of the screen: px. */
const inset = 16;

/** In the corner where systems put their trays and messages: above, and on Windows below. */
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
