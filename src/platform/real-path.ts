/** Paths with every symbolic link resolved. */
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `null` if the path does not exist or cannot be read. */
export function realPathOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** For a path that does not exist yet, resolves the links of its existing part. */
export function realPath(path: string): string {
  for (let at = path, rest = ''; ; ) {
    const real = realPathOrNull(at);
    if (real !== null) return join(real, rest);
    const parent = dirname(at);
    if (parent === at) return path;
    rest = join(at.slice(parent.length).replace(/^[\\/]+/, ''), rest);
    at = parent;
  }
}
