/**
 * A log file that is written synchronously, so that the last line before a crash is on disk, and that rotates
 * by size. A full or failing disk loses lines, never the process: lost lines are counted and reported once
 * writing works again.
 */
import { chmodSync, closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

export interface RotatingFileOptions {
  readonly path: string;
  /** Size in bytes at which the file is rotated. */
  readonly maxBytes: number;
  /** Number of rotated files kept; `path.1` is the newest. */
  readonly keep: number;
}

export interface RotatingFile {
  /** Returns the line's position, `<inode>:<byte>`, or `null` if it was lost. */
  write(line: string): string | null;
  close(): void;
}

interface OpenLog {
  readonly fd: number;
  readonly inode: number;
  size: number;
}

function openLog(path: string): OpenLog | null {
  try {
    const fd = openSync(path, 'a', 0o600);
    chmodSync(path, 0o600);
    const { ino, size } = fstatSync(fd);
    return { fd, inode: ino, size };
  } catch {
    return null;
  }
}

function shiftFiles(path: string, keep: number): void {
  try {
    rmSync(`${path}.${keep}`, { force: true });
    for (let index = keep - 1; index >= 1; index -= 1)
      renameQuietly(`${path}.${index}`, `${path}.${index + 1}`);
    renameQuietly(path, `${path}.1`);
  } catch {
    // The next rotation tries again; until then the file grows.
  }
}

function renameQuietly(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // Usually the file does not exist yet.
  }
}

export function openRotatingFile(options: RotatingFileOptions): RotatingFile {
  let log = openLog(options.path);
  let lost = 0;

  const rotate = (): void => {
    if (log) closeSync(log.fd);
    shiftFiles(options.path, options.keep);
    log = openLog(options.path);
  };

  const append = (line: string): string | null => {
    log ??= openLog(options.path);
    if (!log) return null;
    try {
      const place = `${log.inode}:${log.size}`;
      log.size += writeSync(log.fd, line);
      return place;
    } catch {
      return null;
    }
  };

  return {
    write(line) {
      if (log && log.size > 0 && log.size + Buffer.byteLength(line) > options.maxBytes) rotate();
      if (lost > 0 && append(`${JSON.stringify({ level: 'warn', event: 'log_lines_lost', count: lost })}\n`))
        lost = 0;
      const place = append(line);
      if (place === null) lost += 1;
      return place;
    },
    close() {
      if (log) closeSync(log.fd);
      log = null;
    },
  };
}
