import { mkdirSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import os from 'node:os';
import path from 'node:path';

// What V8 made of our code is kept for the next start. Whoever can write there can have their own code run as this user: it
// never lies where Node would put it, in the temporary folder that all users share (T19). Must parse on Node 20.

type Variables = Readonly<Record<string, string | undefined>>;

/** Where this user's programs keep what can be made again. */
function cacheRoot(env: Variables, platform: NodeJS.Platform): string {
  const [named, usual] =
    platform === 'win32'
      ? [env.LOCALAPPDATA, 'AppData/Local']
      : platform === 'darwin'
        ? [undefined, 'Library/Caches']
        : [env.XDG_CACHE_HOME, '.cache'];
  return named && path.isAbsolute(named) ? named : path.join(os.homedir(), usual);
}

/** Nobody but this user, or the system itself, puts anything there or puts another in its place. */
function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return (uid === process.getuid?.() || uid === 0) && (mode & 0o022) === 0;
}

/** Made if need be; null where it cannot be, or where others could change what is in it. */
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

/** Where the person said where it is to lie, or that there is to be none, Node does so by itself. */
export function keepCompiledCode(env: Variables): void {
  const folder = codeCacheFolder(env);
  if (folder !== null) nodeModule.enableCompileCache?.(folder);
}
