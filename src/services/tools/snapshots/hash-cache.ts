/**
 * Hashes of files by path, valid while device, inode, size and times are the same. A file that changed
 * within the last moment is not cached: a second write in the same tick of the file system's clock would not
 * show in its times.
 */
import type { Stats } from 'node:fs';

/**
 * ms, longer than a tick of the file system's clock: 10 ms at most where times have fractions of a ms, otherwise
 * up to 2 s (FAT).
 */
const tickMs = ({ ctimeMs }: Stats): number => (Number.isInteger(ctimeMs) ? 2_500 : 100);
/** Files beyond this start the cache anew. */
const maxFiles = 200_000;

interface Entry {
  readonly mark: string;
  readonly hash: string;
}

export interface HashCache {
  has(path: string): boolean;
  find(path: string, stats: Stats): string | null;
  /** `readAt`: when the file was read, in ms since the epoch. */
  note(path: string, stats: Stats, hash: string, readAt: number): void;
  forget(): void;
  /** Empties the cache if the contents of this generation are not those of the last call. */
  valid(owner: object, generation: number): void;
}

const markOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;

export function createHashCache(): HashCache {
  const entries = new Map<string, Entry>();
  let owned: { readonly owner: object; readonly generation: number } | null = null;
  return {
    has: (path) => entries.has(path),
    find(path, stats) {
      const entry = entries.get(path);
      return entry?.mark === markOf(stats) ? entry.hash : null;
    },
    note(path, stats, hash, readAt) {
      if (Math.abs(readAt - stats.ctimeMs) < tickMs(stats)) return;
      if (entries.size >= maxFiles) entries.clear();
      entries.set(path, { mark: markOf(stats), hash });
    },
    forget: () => entries.clear(),
    valid(owner, generation) {
      if (owned?.owner !== owner || owned.generation !== generation) entries.clear();
      owned = { owner, generation };
    },
  };
}
