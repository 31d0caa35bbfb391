/**
 * Tells which folders may have new entries since they were searched. An entry changes the time of its folder,
 * which no program can set back.
 */
import { lstat } from 'node:fs/promises';
import { systemErrorCode } from '../../../platform/system-error.ts';

export interface FoundFolder {
  readonly path: string;
  /** Device and inode. */
  readonly file: string;
  /** Change time (`ctime`) in ns since the epoch. */
  readonly changedNs: bigint;
}

interface KnownFolder extends FoundFolder {
  /** It changed so shortly before its search that another change may have left the same time. */
  readonly isFresh: boolean;
}

/** By path. */
export type KnownFolders = ReadonlyMap<string, KnownFolder>;

/** Coarsest time stamps of file systems in use are 2 s apart. */
const freshNs = 2_500_000_000n;
const nsPerMs = 1_000_000n;
const atOnce = 256;

const knowAll = (found: readonly FoundFolder[], at: number): KnownFolders =>
  new Map(
    found.map((folder) => {
      const isFresh = folder.changedNs > BigInt(Math.floor(at)) * nsPerMs - freshNs;
      return [folder.path, { ...folder, isFresh }];
    }),
  );

/** False for a name that is no UTF-8: its decoded path leads to no file. */
export const hasTextName = ({ path }: FoundFolder): boolean => !path.includes('\uFFFD');

/**
 * `null` if they cannot be watched: a start is no folder or is gone, or a name is no UTF-8. `at`: ms since the
 * epoch, before the search.
 */
export function knowFolders(
  found: readonly FoundFolder[],
  at: number,
  starts: readonly string[],
): KnownFolders | null {
  const known = knowAll(found, at);
  const canLook = starts.every((path) => known.has(path)) && found.every(hasTextName);
  return canLook ? known : null;
}

export const isSameFolder = (known: FoundFolder | undefined, found: FoundFolder): boolean =>
  known?.file === found.file;

interface ChangedFolders {
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error));

async function lookAt({ path, file, changedNs, isFresh }: KnownFolder): Promise<'same' | 'changed' | 'gone'> {
  try {
    const now = await lstat(path, { bigint: true });
    if (!now.isDirectory()) return 'gone';
    return isFresh || `${now.dev}:${now.ino}` !== file || now.ctimeNs !== changedNs ? 'changed' : 'same';
  } catch (error) {
    return isGone(error) ? 'gone' : 'changed';
  }
}

export async function changedFolders(known: KnownFolders): Promise<ChangedFolders> {
  const changed: string[] = [];
  const gone: string[] = [];
  const all = [...known.values()];
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce);
    const looks = await Promise.all(some.map(lookAt));
    some.forEach(({ path }, index) => {
      if (looks[index] === 'gone') gone.push(path);
      if (looks[index] === 'changed') changed.push(path);
    });
  }
  return { changed, gone };
}
