/**
 * Lists the regular files of a folder tree, sorted by name; links and special files are listed and never
 * read.
 */
import { closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface FoundFile {
  /** Relative to the tree, with `/`. */
  readonly path: string;
  readonly size: number;
  /** ms since the epoch. */
  readonly changedAt: number;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

export interface Tree {
  readonly files: readonly FoundFile[];
  /** Links, sockets and other special files. */
  readonly left: readonly string[];
}

const pieceBytes = 64 * 1024;
// Absent on Windows, where links need a privilege of their own.
const noFollow = constants.O_NOFOLLOW ?? 0;

/** Does not follow a link that replaced the listed file. */
export async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const descriptor = openSync(path, constants.O_RDONLY | noFollow);
  try {
    for (;;) {
      const piece = Buffer.alloc(pieceBytes);
      const count = readSync(descriptor, piece, 0, pieceBytes, null);
      if (count === 0) return;
      yield piece.subarray(0, count);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** `skip` selects files and folders to ignore, by their path in the tree. */
export function listTree(root: string, skip: (path: string) => boolean = () => false): Tree {
  const files: FoundFile[] = [];
  const left: string[] = [];
  const visit = (folder: string, prefix: string): void => {
    const entries = readdirSync(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${prefix}${entry.name}`;
      const full = join(folder, entry.name);
      if (skip(path)) continue;
      if (entry.isDirectory()) visit(full, `${path}/`);
      else if (!entry.isFile()) left.push(path);
      else {
        const { size, mtimeMs } = statSync(full);
        files.push({ path, size, changedAt: mtimeMs, chunks: () => fileChunks(full) });
      }
    }
  };
  visit(root, '');
  return { files, left };
}
