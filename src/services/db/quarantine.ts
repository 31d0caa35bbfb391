/**
 * Moves a damaged database aside under a dated name, with its WAL; never deletes any of it (F19). A note
 * beside the database names it until a fresh file holds all readable rows: an open after a power loss
 * restarts the salvage (F3).
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
import { fileTimestamp } from '../../core/lib/file-timestamp.ts';
import { syncFolder } from '../../platform/sync-folder.ts';

/** The main file moves last: if it is moved, all of it is. */
const beside = ['-wal', '-shm', '-journal'] as const;

const noteOf = (path: string): string => `${path}.salvaging`;

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
  // A truncated note was never synced, so nothing was moved yet.
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
  const base = `${path}.damaged-${fileTimestamp(now)}`;
  let target = base;
  for (let n = 2; existsSync(target); n += 1) target = `${base}-${n}`;
  writeNote(path, target);
  move(path, target, [...beside, '']);
  return target;
}

/** The quarantined database that still must be salvaged, or `null` if none. */
export function unsalvaged(path: string): string | null {
  const target = readNote(path);
  return target !== null && existsSync(target) ? target : null;
}

/** Runs before an open: undoes what a power loss left half done, so that the salvage can restart. */
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

/**
 * Called when the fresh file holds all rows. Throws if the note cannot be removed, because the next open
 * would restart the salvage.
 */
export function finishSalvage(path: string): void {
  rmSync(noteOf(path), { force: true });
  syncFolder(dirname(path));
}
