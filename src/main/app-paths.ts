/** Paths of the app's own files and of Electron's profile, separate for each data folder. */
import { homedir } from 'node:os';
import path from 'node:path';
import { sha256Hex } from '../platform/sha256.ts';

/** Empty for the default data folder, otherwise a suffix derived from its path. */
export function homeMark(home: string): string {
  if (home === path.join(homedir(), '.kennel')) return '';
  return `-${sha256Hex(home).slice(0, 12)}`;
}

/**
 * Electron's profile (cache, instance lock) stays outside the data folder. One profile per data folder allows
 * one app instance per folder.
 */
export const profileFolder = (appData: string, home: string): string =>
  path.join(appData, `Kennel${homeMark(home)}`);
