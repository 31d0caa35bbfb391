/**
 * Reads the state of one name in an open folder. It promises to follow no link, to open nothing but plain
 * files with one name, and to report a file that cannot be covered instead of failing (T14).
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs';
import { absent, type GapReason, type PathState } from '../../../core/undo/path-state.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import { systemErrorCode } from '../../../platform/system-error.ts';
import { type FolderHandle, safeOpenFlags } from '../confined/folder-handle.ts';

/** Largest file in bytes whose content is kept. */
export const maxKeptFileBytes = 16 * 1024 * 1024;

export interface ReadPath {
  readonly state: PathState;
  /** The content of a file that was read now. */
  readonly bytes: Uint8Array | null;
}

/** `null` if a hash is not known for exactly this file, or may be stale. */
export type KnownHash = (stats: Stats) => string | null;

export const modeOf = (stats: Stats): number => stats.mode & 0o7777;

/** Changes with every write, move or change of links. */
const markOf = ({ ino, size, mtimeMs, ctimeMs, nlink }: Stats): string =>
  [ino, size, mtimeMs, ctimeMs, nlink].join(':');

export const uncovered = (why: GapReason, stats: Stats | null = null): PathState => ({
  kind: 'uncovered',
  why,
  mark: stats && why !== 'ignored' && why !== 'limit' ? markOf(stats) : '',
});

/** All bytes of an open file of this size, or `null` if it has another size by now. */
function readAll(fd: number, size: number): Uint8Array | null {
  const bytes = new Uint8Array(size);
  let at = 0;
  while (at < size) {
    const read = readSync(fd, bytes, at, size - at, at);
    if (read === 0) return null;
    at += read;
  }
  return fstatSync(fd).size === size ? bytes : null;
}

function readFile(folder: FolderHandle, name: string, seen: Stats): ReadPath {
  const fd = openSync(folder.at(name), constants.O_RDONLY | safeOpenFlags);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.ino !== seen.ino || stats.dev !== seen.dev)
      return { state: uncovered('unreadable', stats), bytes: null };
    if (stats.nlink > 1) return { state: uncovered('many_names', stats), bytes: null };
    if (stats.size > maxKeptFileBytes) return { state: uncovered('too_large', stats), bytes: null };
    const bytes = readAll(fd, stats.size);
    if (!bytes) return { state: uncovered('unreadable', stats), bytes: null };
    const hash = sha256Hex(bytes);
    return { state: { kind: 'file', hash, size: bytes.length, mode: modeOf(stats) }, bytes };
  } finally {
    closeSync(fd);
  }
}

function stateOfFile(folder: FolderHandle, name: string, stats: Stats, known: KnownHash): ReadPath {
  if (stats.nlink > 1) return { state: uncovered('many_names', stats), bytes: null };
  if (stats.size > maxKeptFileBytes) return { state: uncovered('too_large', stats), bytes: null };
  const hash = known(stats);
  if (hash !== null)
    return { state: { kind: 'file', hash, size: stats.size, mode: modeOf(stats) }, bytes: null };
  try {
    return readFile(folder, name, stats);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return { state: absent, bytes: null };
    return { state: uncovered('unreadable', stats), bytes: null };
  }
}

function stateOfLink(folder: FolderHandle, name: string, stats: Stats): PathState {
  try {
    return { kind: 'link', target: readlinkSync(folder.at(name)) };
  } catch (error) {
    // Anything else than a missing name, such as a file in its place (EINVAL), was not looked at.
    return systemErrorCode(error) === 'ENOENT' ? absent : uncovered('unreadable', stats);
  }
}

export function readState(
  folder: FolderHandle,
  name: string,
  known: KnownHash,
): ReadPath & { stats: Stats | null } {
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false }) ?? null;
  if (!stats) return { state: absent, bytes: null, stats };
  if (stats.isFile()) return { ...stateOfFile(folder, name, stats, known), stats };
  if (stats.isDirectory()) return { state: { kind: 'folder', mode: modeOf(stats) }, bytes: null, stats };
  if (stats.isSymbolicLink()) return { state: stateOfLink(folder, name, stats), bytes: null, stats };
  return { state: uncovered('special', stats), bytes: null, stats };
}
