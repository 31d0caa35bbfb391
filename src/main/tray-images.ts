/** Icons of tray and menu, cached, chosen by state and by the panel's colour. */
import path from 'node:path';
import { type NativeImage, nativeImage, nativeTheme } from 'electron';
import type { TrayPanel } from '../contract/desktop-methods.ts';
import type { Dot } from '../contract/model.ts';

const fileName = (dot: Dot): string => dot.replace('_', '-');

export interface TrayImages {
  icon(state: Dot, panel: TrayPanel): NativeImage;
  dot(state: Dot): NativeImage;
}

/**
 * macOS colours template images itself. Elsewhere `auto` is an icon for both panel colours, or on Windows
 * follows the theme.
 */
function variant(panel: TrayPanel): string {
  if (process.platform === 'darwin') return '-template';
  if (panel !== 'auto') return `-on-${panel}`;
  if (process.platform !== 'win32') return '';
  return nativeTheme.shouldUseDarkColors ? '-on-dark' : '-on-light';
}

export function createTrayImages(icons: string): TrayImages {
  const read = new Map<string, NativeImage>();
  const image = (file: string): NativeImage => {
    const known = read.get(file) ?? nativeImage.createFromPath(path.join(icons, file));
    read.set(file, known);
    return known;
  };
  return {
    icon(state, panel) {
      const chosen = variant(panel);
      const found = image(`tray/${fileName(state)}${chosen}.png`);
      found.setTemplateImage(chosen === '-template');
      return found;
    },
    dot: (state) => image(`dots/${fileName(state)}.png`),
  };
}
