/** Paths of the app's own files and of Electron's profile, separate for each data folder. */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';

/** `KENNEL_HOME`, or ~/.kennel. */
export function dataFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.KENNEL_HOME ? path.resolve(env.KENNEL_HOME) : path.join(homedir(), '.kennel');
}

/** Empty for the default data folder, otherwise a suffix derived from its path. */
export function homeMark(home: string): string {
  if (home === path.join(homedir(), '.kennel')) return '';
  return `-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;
}

/**
 * Electron's profile (cache, instance lock) stays outside the data folder. One profile per data folder allows
 * one app instance per folder.
 */
export const profileFolder = (appData: string, home: string): string =>
  path.join(appData, `Kennel${homeMark(home)}`);
