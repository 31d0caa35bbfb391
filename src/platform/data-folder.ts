import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The data folder: `KENNEL_HOME`, else `~/.kennel`. */
export const dataFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  env.KENNEL_HOME ? resolve(env.KENNEL_HOME) : join(homedir(), '.kennel');
