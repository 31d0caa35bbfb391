import { mkdirSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import os from 'node:os';
import path from 'node:path';

// Keeps V8's compiled code for the next start. Write access to the cache allows running code as this user, so
// it is never in Node's default, the shared temporary folder (T19). Must parse on Node 20.

type Variables = Readonly<Record<string, string | undefined>>;

function cacheRoot(env: Variables, platform: NodeJS.Platform): string {
  const [named, usual] =
    platform === 'win32'
      ? [env.LOCALAPPDATA, 'AppData/Local']
      : platform === 'darwin'
        ? [undefined, 'Library/Caches']
        : [env.XDG_CACHE_HOME, '.cache'];
  return named && path.isAbsolute(named) ? named : path.join(os.homedir(), usual);
}

/** Only this user or root can write there or replace it. */
function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return (uid === process.getuid?.() || uid === 0) && (mode & 0o022) === 0;
}

/** Creates the folder if needed; `null` if that fails or if other users could change its contents. */
export function codeCacheFolder(env: Variables, platform: NodeJS.Platform = process.platform): string | null {
  try {
    const root = cacheRoot(env, platform);
    const own = path.join(root, 'kennel');
    const folder = path.join(own, 'code');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return platform === 'win32' || [root, own, folder].every(isOwn) ? folder : null;
  } catch {
    return null;
  }
}

/** Environment variables of the user about the compile cache take precedence in Node. */
export function keepCompiledCode(env: Variables): void {
  const folder = codeCacheFolder(env);
  if (folder !== null) nodeModule.enableCompileCache?.(folder);
}
