/** Writes a file or folder that appears under its name complete and synced, or not at all (F26). */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { say } from '../../language/say.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import { BundleFault } from './bundle-fault.ts';
import { segmentsOf } from './entry-names.ts';

const taken = (path: string) =>
  new BundleFault('conflict', say('moving.nameTaken'), {
    where: path,
    hint: say('moving.chooseNameOrForce'),
  });

const temporaryFor = (path: string): string => join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);

/** Writes and syncs a new file; returns its size in bytes. */
export async function writePieces(path: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    let total = 0;
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at);
      total += piece.length;
    }
    fsyncSync(descriptor);
    return total;
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the bytes written. With `replace`, an existing file is replaced atomically. */
export async function writeWhole(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  replace: boolean,
): Promise<number> {
  if (existsSync(path) && !replace) throw taken(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = temporaryFor(path);
  try {
    const bytes = await writePieces(temporary, pieces);
    renameSync(temporary, path);
    syncFolder(dirname(path));
    return bytes;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

export interface NewFile {
  readonly path: string;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/** Writes files below the existing `root` and syncs each. Returns the bytes written. */
export async function writeFiles(
  root: string,
  files: Iterable<NewFile>,
  limitBytes: number,
): Promise<number> {
  let total = 0;
  const capped = async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      total += piece.length;
      if (total > limitBytes) throw new BundleFault('too_large', say('moving.contentTooLarge'));
      yield piece;
    }
  };
  const folders = new Set<string>([root]);
  for (const file of files) {
    const segments = segmentsOf(file.path);
    if (!segments)
      throw new BundleFault('invalid_input', say('moving.invalidFileName'), { where: file.path });
    const full = join(root, ...segments);
    mkdirSync(dirname(full), { recursive: true, mode: 0o700 });
    folders.add(dirname(full));
    await writePieces(full, capped(file.chunks()));
  }
  for (const folder of folders) syncFolder(folder);
  return total;
}

export async function writeFolder(
  path: string,
  files: Iterable<NewFile>,
  limitBytes: number,
): Promise<number> {
  if (existsSync(path)) throw taken(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const building = temporaryFor(path);
  try {
    mkdirSync(building, { mode: 0o700 });
    const bytes = await writeFiles(building, files, limitBytes);
    renameSync(building, path);
    syncFolder(dirname(path));
    return bytes;
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    throw error;
  }
}
