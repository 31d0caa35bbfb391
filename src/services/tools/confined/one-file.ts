/**
 * One file in an open folder. It promises that only regular files with a single hard link are opened, that no
 * call blocks on a pipe or device, and that a write leaves the old content or the new, durable when it
 * returns.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  futimesSync,
  linkSync,
  lstatSync,
  openSync,
  read,
  renameSync,
  rmSync,
  type Stats,
  write,
} from 'node:fs';
import { promisify } from 'node:util';
import { systemErrorCode } from '../../../platform/system-error.ts';
import { manyNames, notPlain, Refused } from './confined-errors.ts';
import { type FolderHandle, safeOpenFlags } from './folder-handle.ts';

const readAsync = promisify(read);
const writeAsync = promisify(write);
const fsyncAsync = promisify(fsync);

export function checkPlain(stats: Stats, asked: string): void {
  if (!stats.isFile()) throw new Refused(notPlain(asked));
  if (stats.nlink > 1) throw new Refused(manyNames(asked));
}

/** The entry with this name, without following links; `null` if none. */
export function lookAt(folder: FolderHandle, name: string): Stats | null {
  return lstatSync(folder.at(name), { throwIfNoEntry: false }) ?? null;
}

/** Refuses a link that appeared after the path was resolved, or whose target is missing. */
function refuseLink(stats: Stats | null, asked: string): void {
  if (stats?.isSymbolicLink()) {
    const error = Object.assign(new Error(asked), { code: 'ELOOP' });
    throw error;
  }
}

/** Checks before opening, because opening a device can have an effect, and again by the descriptor. */
export function openForReading(folder: FolderHandle, name: string, asked: string): number {
  const before = lstatSync(folder.at(name));
  refuseLink(before, asked);
  if (before.isDirectory()) throw Object.assign(new Error(asked), { code: 'EISDIR' });
  checkPlain(before, asked);
  const fd = openSync(folder.at(name), constants.O_RDONLY | safeOpenFlags);
  try {
    const stats = fstatSync(fd);
    checkPlain(stats, asked);
    if (stats.dev !== before.dev || stats.ino !== before.ino) throw new Refused(notPlain(asked));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

export async function readRange(fd: number, offset: number, maxBytes: number): Promise<Uint8Array> {
  const { size } = fstatSync(fd);
  const wanted = Math.max(0, Math.min(maxBytes, size - offset));
  const bytes = new Uint8Array(wanted);
  let at = 0;
  while (at < wanted) {
    const { bytesRead } = await readAsync(fd, bytes, at, wanted - at, offset + at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

export async function syncFolderHandle(folder: FolderHandle): Promise<void> {
  if (process.platform === 'win32') return;
  const fd = openSync(folder.self, constants.O_RDONLY);
  try {
    await fsyncAsync(fd);
  } finally {
    closeSync(fd);
  }
}

/** New files and folders inherit the permissions of their parent folder. */
export const folderMode = (folder: FolderHandle): number => lstatSync(folder.self).mode & 0o777;

/** Writes the new content piece by piece through `put`. */
type Fill = (put: (bytes: Uint8Array) => Promise<void>) => Promise<void>;

export async function replaceFile(
  folder: FolderHandle,
  name: string,
  asked: string,
  how: 'create' | 'replace',
  fill: Fill,
): Promise<void> {
  const before = lookAt(folder, name);
  if (before && how === 'create') throw Object.assign(new Error(asked), { code: 'EEXIST' });
  refuseLink(before, asked);
  if (before?.isDirectory()) throw Object.assign(new Error(asked), { code: 'EISDIR' });
  if (before) checkPlain(before, asked);
  const mode = before ? before.mode & 0o777 : folderMode(folder) & 0o666;
  const temporary = `.kennel-${randomUUID()}.tmp`;
  try {
    await fillTemporary(folder, temporary, mode, fill);
    if (how === 'create') {
      // A rename would replace a file that was created meanwhile; a link does not.
      takeFreeName(folder, temporary, name);
    } else renameSync(folder.at(temporary), folder.at(name));
  } catch (error) {
    rmSync(folder.at(temporary), { force: true });
    throw error;
  }
  await syncFolderHandle(folder);
}

const leftOver = /^[.]kennel-[0-9a-f-]{36}[.]tmp$/;
/** ms within which every running write has written something. */
const leftOverAge = 60_000;

/** Removes temporary files that a crash left in a folder, given its names. */
export function clearTemporaryFiles(folder: FolderHandle, names: readonly string[]): void {
  for (const name of names.filter((one) => leftOver.test(one))) {
    const stats = lookAt(folder, name);
    if (stats?.isFile() && Date.now() - stats.mtimeMs > leftOverAge) rmSync(folder.at(name), { force: true });
  }
}

function takeFreeName(folder: FolderHandle, temporary: string, name: string): void {
  try {
    linkSync(folder.at(temporary), folder.at(name));
    rmSync(folder.at(temporary));
  } catch (error) {
    const code = systemErrorCode(error, 'UNKNOWN');
    // The file system has no hard links (memory sticks); no other file with this name was seen.
    if ((code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') || lookAt(folder, name))
      throw error;
    renameSync(folder.at(temporary), folder.at(name));
  }
}

async function fillTemporary(folder: FolderHandle, name: string, mode: number, fill: Fill): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | safeOpenFlags;
  const fd = openSync(folder.at(name), flags, mode);
  try {
    await fill(async (bytes) => {
      for (let at = 0; at < bytes.length; )
        at += (await writeAsync(fd, bytes, at, bytes.length - at)).bytesWritten;
    });
    await fsyncAsync(fd);
  } finally {
    closeSync(fd);
  }
}

export function touchFile(folder: FolderHandle, name: string, asked: string): void {
  const before = lookAt(folder, name);
  refuseLink(before, asked);
  if (before?.isDirectory()) throw Object.assign(new Error(asked), { code: 'EISDIR' });
  if (before) checkPlain(before, asked);
  const create = before ? 0 : constants.O_CREAT | constants.O_EXCL;
  const fd = openSync(
    folder.at(name),
    constants.O_WRONLY | create | safeOpenFlags,
    folderMode(folder) & 0o666,
  );
  try {
    checkPlain(fstatSync(fd), asked);
    const now = new Date();
    futimesSync(fd, now, now);
  } finally {
    closeSync(fd);
  }
}

const pieceBytes = 1024 * 1024;

/** Copies an open file to its end and returns the bytes copied. `limit` runs before each piece and throws to stop. */
export async function copyInto(
  from: number,
  folder: FolderHandle,
  name: string,
  asked: string,
  limit: () => void,
): Promise<number> {
  let copied = 0;
  await replaceFile(folder, name, asked, 'replace', async (put) => {
    for (;;) {
      const bytes = await readRange(from, copied, pieceBytes);
      if (bytes.length === 0) return;
      limit();
      await put(bytes);
      copied += bytes.length;
    }
  });
  return copied;
}
