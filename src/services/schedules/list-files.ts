/**
 * Lists the current files of a trigger. It promises to follow no link below the folder, to respect its limits
 * of depth and count, and to report when it reaches one.
 */

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, opendir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { matchGlob } from '../../core/policy/glob.ts';
import type { FileSeen } from '../../core/tasks/file-trigger.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

export interface WatchedPath {
  /** An absolute path. */
  readonly path: string;
  readonly glob: string | null;
  /** A folder below `path` to skip. */
  readonly except?: string;
}

export type FileFacts = Omit<FileSeen, 'digest'>;

export interface FileListing {
  readonly files: ReadonlyMap<string, FileFacts>;
  /** The folders to watch; if the path does not exist yet, the nearest existing parent. */
  readonly folders: readonly string[];
  /** A sentence for the user, or empty if none. */
  readonly problem: HostText;
  /** True if the listing is complete: a file that is not in `files` does not exist. */
  readonly whole: boolean;
}

const maxFiles = 2_000;
const maxFolders = 500;
const maxDepth = 20;
/** Above this, size, time and inode replace the content digest. */
const maxReadBytes = 16 * 1024 * 1024;
/** Internal folders of programs. */
const passedOver: ReadonlySet<string> = new Set(['.git', 'node_modules']);

const factsOf = (file: { size: number; mtimeMs: number; ino: number }): FileFacts => ({
  size: file.size,
  mtime: file.mtimeMs,
  inode: file.ino,
});

export const sameFacts = (a: FileFacts | undefined, b: FileFacts): boolean =>
  a !== undefined && a.size === b.size && a.mtime === b.mtime && a.inode === b.inode;

async function nearestFolder(path: string): Promise<string> {
  for (let at = dirname(path); ; at = dirname(at)) {
    const found = await stat(at).catch(() => null);
    if (found?.isDirectory() || at === dirname(at)) return at;
  }
}

interface Walk {
  readonly root: string;
  readonly glob: string | null;
  readonly except: string | undefined;
  readonly files: Map<string, FileFacts>;
  readonly folders: string[];
  unread: string;
  full: boolean;
}

const fits = ({ root, glob }: Walk, path: string): boolean => {
  if (glob === null) return true;
  const below = relative(root, path).split(sep).join('/');
  // "**/" also matches zero folders, as users expect.
  const globs = glob.startsWith('**/') ? [glob, glob.slice(3)] : [glob];
  return globs.some((each) => matchGlob(each, below, { separator: '/' }));
};

async function takeFile(walk: Walk, path: string): Promise<void> {
  if (!fits(walk, path)) return;
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile()) return;
  if (walk.files.size >= maxFiles) walk.full = true;
  else walk.files.set(path, factsOf(found));
}

async function walkFolder(walk: Walk, folder: string, depth: number): Promise<void> {
  if (walk.folders.length >= maxFolders || depth > maxDepth) {
    walk.full = true;
    return;
  }
  walk.folders.push(folder);
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isFile()) await takeFile(walk, path);
      else if (entry.isDirectory() && !passedOver.has(entry.name) && path !== walk.except)
        await walkFolder(walk, path, depth + 1);
      if (walk.full) return;
    }
  } catch {
    walk.unread = folder;
  }
}

function problemOf({ full, unread, root }: Walk): HostText {
  if (full) return say('schedules.tooMuchBelow', { path: root, files: maxFiles, folders: maxFolders });
  return unread === '' ? '' : say('schedules.pathUnreadable', { path: unread });
}

export async function listWatchedFiles({ path, glob, except }: WatchedPath): Promise<FileListing> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile()) {
    return { files: new Map([[path, factsOf(found)]]), folders: [dirname(path)], problem: '', whole: true };
  }
  if (!found?.isDirectory()) {
    const problem = say('schedules.nothingAtPath', { path });
    return { files: new Map(), folders: [await nearestFolder(path)], problem, whole: true };
  }
  const walk: Walk = { root: path, glob, except, files: new Map(), folders: [], unread: '', full: false };
  await walkFolder(walk, path, 0);
  // The folder itself may be recreated.
  const problem = problemOf(walk);
  const folders = [...walk.folders, dirname(path)];
  return { files: walk.files, folders, problem, whole: problem === '' };
}

/**
 * Returns `null` if the file changed meanwhile or cannot be read; does not block on a pipe that replaced it.
 */
export async function readSeen(path: string, facts: FileFacts): Promise<FileSeen | null> {
  if (facts.size > maxReadBytes) {
    return { ...facts, digest: `${facts.size}-${facts.mtime}-${facts.inode}` };
  }
  const hash = createHash('sha256');
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    for await (const piece of file.createReadStream()) hash.update(piece as Buffer);
    const after = await stat(path);
    return sameFacts(facts, factsOf(after)) ? { ...facts, digest: hash.digest('hex') } : null;
  } catch {
    return null;
  }
}
