/** Where the app finds its own files and where Electron may keep its own; separate for each data folder. */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';

/** The data folder: KENNEL_HOME, else ~/.kennel. */
export function dataFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.KENNEL_HOME ? path.resolve(env.KENNEL_HOME) : path.join(homedir(), '.kennel');
}

/** Empty for the usual data folder; else what tells its files from those of the others. */
export function homeMark(home: string): string {
  if (home === path.join(homedir(), '.kennel')) return '';
  return `-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;
}

/**
 * Electron's profile (window cache, instance lock) stays out of the data folder, but each data folder has its own: two
 * folders mean two apps, one folder means one.
 */
export const profileFolder = (appData: string, home: string): string =>
  path.join(appData, `Kennel${homeMark(home)}`);
