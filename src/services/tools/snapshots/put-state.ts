/**
 * Brings one path into a recorded state. It promises to change nothing unless the path is as expected right
 * before, to follow no link (T14), and to replace a file by renaming a complete one (F1, F4).
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { type PathChange, type PathState, sameState } from '../../../core/undo/path-state.ts';
import type { ContentStore, PutOutcome } from '../../../core/undo/snapshot-port.ts';
import { systemErrorCode } from '../../../platform/system-error.ts';
import { fileError, Refused } from '../confined/confined-errors.ts';
import { type FolderHandle, safeOpenFlags } from '../confined/folder-handle.ts';
import { syncFolderHandle } from '../confined/one-file.ts';
import { readState } from './path-reader.ts';
import { openParent } from './scan.ts';

const lost = (path: string) => fail('not_found', 'undo.contentNotStored', {}, { where: path });

function writeTemporary(folder: FolderHandle, bytes: Uint8Array, mode: number): string {
  const temporary = `.kennel-${randomUUID()}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | safeOpenFlags;
  const fd = openSync(folder.at(temporary), flags, 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } catch (error) {
    rmSync(folder.at(temporary), { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
  return temporary;
}

function replace(folder: FolderHandle, name: string, now: PathState, temporary: string): void {
  try {
    // A rename replaces a file or link, but no folder.
    if (now.kind === 'folder') rmdirSync(folder.at(name));
    renameSync(folder.at(temporary), folder.at(name));
  } catch (error) {
    rmSync(folder.at(temporary), { force: true });
    throw error;
  }
}

function remove(folder: FolderHandle, name: string, now: PathState): void {
  if (now.kind === 'folder') rmdirSync(folder.at(name));
  else if (now.kind !== 'absent') unlinkSync(folder.at(name));
}

function makeFolder(folder: FolderHandle, name: string, now: PathState, mode: number): void {
  if (now.kind !== 'folder') {
    remove(folder, name, now);
    mkdirSync(folder.at(name), 0o700);
  }
  const fd = openSync(folder.at(name), constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | safeOpenFlags);
  try {
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

function bring(
  folder: FolderHandle,
  name: string,
  now: PathState,
  target: PathState,
  contents: ContentStore,
): boolean {
  switch (target.kind) {
    case 'absent':
      remove(folder, name, now);
      return true;
    case 'file': {
      const bytes = contents.read(target.hash);
      if (!bytes) return false;
      replace(folder, name, now, writeTemporary(folder, bytes, target.mode));
      return true;
    }
    case 'folder':
      makeFolder(folder, name, now, target.mode);
      return true;
    case 'link': {
      const temporary = `.kennel-${randomUUID()}.tmp`;
      symlinkSync(target.target, folder.at(temporary));
      replace(folder, name, now, temporary);
      return true;
    }
    case 'uncovered':
      return false;
  }
}

export async function putState(
  { path, before, after }: PathChange,
  contents: ContentStore,
  byHandles: boolean,
): Promise<Result<PutOutcome>> {
  let parent: ReturnType<typeof openParent> = null;
  try {
    parent = openParent(path, byHandles);
    // Its folder is gone; a path that is to be absent already is.
    if (!parent) return ok(after.kind === 'absent' ? 'done' : 'kept');
    const { folder, name } = parent;
    const now = readState(folder, name, () => null).state;
    if (sameState(now, after)) return ok('done');
    if (!sameState(now, before)) return ok('kept');
    if (!bring(folder, name, now, after, contents)) return err(lost(path));
    await syncFolderHandle(folder);
    return ok('done');
  } catch (error) {
    const code = systemErrorCode(error, 'UNKNOWN');
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return ok('kept');
    if (code === 'UNKNOWN' && !(error instanceof Refused)) throw error;
    return err(fileError(error, path));
  } finally {
    parent?.folder.close();
  }
}
