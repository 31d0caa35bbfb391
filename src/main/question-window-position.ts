/** Screen positions of the small windows, and the approval id in the address of the one for an approval. */
import type { Rectangle } from './window-position.ts';

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

const wantedToAsk = { width: 600, height: 420 } as const;

/** In the middle of the upper half, where the eyes are. */
export function askPlace(area: Rectangle): Rectangle {
  const width = Math.min(wantedToAsk.width, area.width - 2 * inset);
  const height = Math.min(wantedToAsk.height, area.height - 2 * inset);
  return {
    x: area.x + Math.round((area.width - width) / 2),
    y: area.y + Math.round((area.height - height) / 4),
    width,
    height,
  };
}
