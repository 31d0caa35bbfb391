/** Puts a damaged database aside under a dated name, with its WAL; nothing is ever deleted (F19). */
import { existsSync, renameSync } from 'node:fs';

/** `2026-11-21T08-46-42-123Z`: a date that every file system takes as part of a name. */
const stamp = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-');

/** Returns the new name of the main file. */
export function quarantineDatabase(path: string, now: number): string {
  const base = `${path}.damaged-${stamp(now)}`;
  let target = base;
  for (let n = 2; existsSync(target); n += 1) target = `${base}-${n}`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${target}${suffix}`);
  }
  return target;
}
