/**
 * The data folder's files. It promises that a write leaves the old content or the new after any crash
 * (temporary file in the same folder, fsync, rename, fsync of the folder; F1, F3), that new files are private
 * to their owner (T19), and that it follows no link in the last component.
 */

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromUtf8 } from '../../core/lib/bytes.ts';
import { fileTimestamp } from '../../core/lib/file-timestamp.ts';
import type { DiskPort, Random } from '../../core/ports.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import { systemErrorCode } from '../../platform/system-error.ts';
import { diskError } from './disk-errors.ts';

const folderMode = 0o700;
const fileMode = 0o600;
// Absent on Windows, where links need a privilege of their own.
const noFollow = constants.O_NOFOLLOW ?? 0;

function attempt<T>(path: string, work: () => T): Result<T> {
  try {
    return ok(work());
  } catch (error) {
    return err(diskError(error, path));
  }
}

function withFile<T>(path: string, flags: number, work: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags, fileMode);
  try {
    return work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readBytes(path: string, maxBytes: number): Result<Uint8Array | null> {
  try {
    return withFile(path, constants.O_RDONLY | noFollow, (descriptor) => {
      const { size } = fstatSync(descriptor);
      if (size > maxBytes) return err(tooLarge(path, size, maxBytes));
      const bytes = new Uint8Array(size);
      let at = 0;
      while (at < size) {
        const count = readSync(descriptor, bytes, at, size - at, at);
        if (count === 0) break;
        at += count;
      }
      return ok(bytes.subarray(0, at));
    });
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' ? ok(null) : err(diskError(error, path));
  }
}

const tooLarge = (path: string, size: number, maxBytes: number): AppError =>
  fail('too_large', 'storage.fileTooLarge', { size, maxBytes }, { where: path });

function writeAtomically(path: string, content: string, random: Random, durable: boolean): void {
  mkdirSync(dirname(path), { recursive: true, mode: folderMode });
  const temporary = join(dirname(path), `.${basename(path)}.${random.uuid()}.tmp`);
  try {
    withFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (descriptor) => {
      const bytes = Buffer.from(content, 'utf8');
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      if (durable) fsyncSync(descriptor);
    });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (durable) syncFolder(dirname(path));
}

function names(path: string, wanted: 'isDirectory' | 'isFile'): Result<readonly string[]> {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return ok(
      entries
        .filter((entry) => entry[wanted]())
        .map((entry) => entry.name)
        .sort(),
    );
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' ? ok([]) : err(diskError(error, path));
  }
}

function quarantine(path: string, now: number): string {
  const base = `${path}.damaged-${fileTimestamp(now)}`;
  let target = base;
  for (let n = 2; existsSync(target); n += 1) target = `${base}-${n}`;
  renameSync(path, target);
  return target;
}

export function createDisk(random: Random): DiskPort {
  return {
    readText(path, maxBytes) {
      const bytes = readBytes(path, maxBytes);
      if (!bytes.ok || bytes.value === null) return bytes.ok ? ok(null) : bytes;
      const text = fromUtf8(bytes.value);
      return text === null ? err(fail('corrupt', 'storage.fileNotUtf8', {}, { where: path })) : ok(text);
    },
    write: (path, content, keep = 'durable') =>
      attempt(path, () => writeAtomically(path, content, random, keep === 'durable')),
    remove: (path) => attempt(path, () => rmSync(path, { recursive: true, force: true, maxRetries: 3 })),
    move(from, to) {
      if (existsSync(to)) return err(fail('conflict', 'storage.nameTaken', {}, { where: to }));
      return attempt(from, () => {
        mkdirSync(dirname(to), { recursive: true, mode: folderMode });
        renameSync(from, to);
        syncFolder(dirname(to));
        syncFolder(dirname(from));
      });
    },
    folders: (path) => names(path, 'isDirectory'),
    files: (path) => names(path, 'isFile'),
    quarantine: (path, now) => attempt(path, () => quarantine(path, now)),
  };
}
