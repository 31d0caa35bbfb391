/**
 * Puts a damaged database aside under a dated name, with its WAL; nothing of it is ever deleted (F19). A note beside the
 * database names it until a fresh file holds all that could be read of it: an open after a power cut begins that anew (F3).
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** `2026-11-21T08-46-42-123Z`: a date that every file system takes as part of a name. */
const stamp = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-');

/** The main file goes last: where it lies aside, all of it does. */
const beside = ['-wal', '-shm', '-journal'] as const;

const noteOf = (path: string): string => `${path}.salvaging`;

function syncFolder(folder: string): void {
  // Windows knows no such thing.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeNote(path: string, target: string): void {
  const descriptor = openSync(noteOf(path), 'w', 0o600);
  try {
    writeSync(descriptor, basename(target));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(path));
}

function readNote(path: string): string | null {
  if (!existsSync(noteOf(path))) return null;
  const name = readFileSync(noteOf(path), 'utf8');
  // A note that was cut while it was written: nothing was moved yet.
  return name.startsWith(`${basename(path)}.damaged-`) && basename(name) === name
    ? join(dirname(path), name)
    : null;
}

function move(from: string, to: string, suffixes: readonly string[]): void {
  for (const suffix of suffixes)
    if (existsSync(`${from}${suffix}`)) renameSync(`${from}${suffix}`, `${to}${suffix}`);
}

/** Returns the new name of the main file. */
export function quarantineDatabase(path: string, now: number): string {
  const base = `${path}.damaged-${stamp(now)}`;
  let target = base;
  for (let n = 2; existsSync(target); n += 1) target = `${base}-${n}`;
  writeNote(path, target);
  move(path, target, [...beside, '']);
  return target;
}

/** The database put aside that is still to be read; `null` if none is. */
export function unsalvaged(path: string): string | null {
  const target = readNote(path);
  return target !== null && existsSync(target) ? target : null;
}

/** Before an open: what a power cut left half done is taken back, so that it can begin anew. */
export function resumeQuarantine(path: string): void {
  const target = readNote(path);
  if (target === null) return;
  if (existsSync(target)) {
    for (const suffix of ['', ...beside]) rmSync(`${path}${suffix}`, { force: true });
    return;
  }
  move(target, path, beside);
  finishSalvage(path);
}

/** The fresh file holds all; throws if that cannot be noted, because the next open would begin anew. */
export function finishSalvage(path: string): void {
  rmSync(noteOf(path), { force: true });
  syncFolder(dirname(path));
}
