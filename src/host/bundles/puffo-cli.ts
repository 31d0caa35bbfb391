import { homedir } from 'node:os';
import { join } from 'node:path';

/** The key folder of puffo-cli (spec §1.8). */
export function puffoCliKeys(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  const home = env.HOME ?? homedir();
  if (platform === 'win32') {
    return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'puffo', 'puffo-cli', 'data', 'keys');
  }
  if (platform === 'darwin')
    return join(home, 'Library', 'Application Support', 'ai.puffo.puffo-cli', 'keys');
  return join(env.XDG_DATA_HOME ?? join(home, '.local', 'share'), 'puffo', 'puffo-cli', 'keys');
}
