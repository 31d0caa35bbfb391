/**
 * Counts, copies and removes whole folders through open handles. It promises to check the size first and to
 * change nothing if the tree is too large, to follow no link, and to remove a link itself and never its
 * target.
 */
import { closeSync, mkdirSync, opendirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../../contract/fail.ts';
import { notPlain, Refused } from './confined-errors.ts';
import { type FolderHandle, openBelow } from './folder-handle.ts';
import { copyInto, folderMode, lookAt, openForReading, syncFolderHandle } from './one-file.ts';

export const maxTreeEntries = 10_000;
const maxDepth = 100;
export const maxCopyBytes = 1024 * 1024 * 1024;

/** Entries read in one call; Node's default is 32. */
const namesAtOnce = 512;

/** At most `limit` names of the folder; `more` is true if others exist. */
export function namesIn(
  folder: FolderHandle,
  limit: number,
): { readonly names: string[]; readonly more: boolean } {
  const open = opendirSync(folder.self, { bufferSize: namesAtOnce });
  const names: string[] = [];
  try {
    for (let entry = open.readSync(); entry; entry = open.readSync()) {
      if (names.length === limit) return { names, more: true };
      names.push(entry.name);
    }
    return { names, more: false };
  } finally {
    open.closeSync();
  }
}

const tooMuch = (asked: string): Refused =>
  new Refused(
    fail(
      'too_large',
      'tools.folderTooLarge',
      { maxTreeEntries },
      { help: 'tools.workOnParts', where: asked },
    ),
  );

export interface TreeWalk {
  readonly byHandles: boolean;
  readonly asked: string;
}

/** Counts the entries below `folder`. With `plainOnly`, a link, pipe or device in the tree is refused. */
export function countTree(folder: FolderHandle, walk: TreeWalk, plainOnly: boolean, depth = 1): number {
  if (depth > maxDepth) throw tooMuch(walk.asked);
  const { names, more } = namesIn(folder, maxTreeEntries);
  if (more) throw tooMuch(walk.asked);
  let count = names.length;
  for (const name of names) {
    const stats = lookAt(folder, name);
    if (plainOnly && stats && !stats.isFile() && !stats.isDirectory())
      throw new Refused(notPlain(join(walk.asked, name)));
    if (!stats?.isDirectory()) continue;
    const below = openBelow(folder, name, walk.byHandles);
    try {
      count += countTree(below, walk, plainOnly, depth + 1);
    } finally {
      below.close();
    }
    if (count > maxTreeEntries) throw tooMuch(walk.asked);
  }
  return count;
}

export async function copyTree(
  from: FolderHandle,
  to: FolderHandle,
  walk: TreeWalk,
  bytes: { left: number },
): Promise<void> {
  for (const name of namesIn(from, maxTreeEntries).names) {
    if (lookAt(from, name)?.isDirectory()) await copyFolder(from, name, to, name, walk, bytes);
    else await copyOne(from, name, to, name, join(walk.asked, name), bytes);
  }
}

/** `to/target` must not exist yet. */
export async function copyFolder(
  from: FolderHandle,
  name: string,
  to: FolderHandle,
  target: string,
  walk: TreeWalk,
  bytes: { left: number },
): Promise<void> {
  const source = openBelow(from, name, walk.byHandles);
  try {
    mkdirSync(to.at(target), folderMode(to));
    const made = openBelow(to, target, walk.byHandles);
    try {
      await copyTree(source, made, walk, bytes);
      await syncFolderHandle(made);
    } finally {
      made.close();
    }
  } finally {
    source.close();
  }
}

export async function copyOne(
  from: FolderHandle,
  name: string,
  to: FolderHandle,
  target: string,
  asked: string,
  bytes: { left: number },
): Promise<void> {
  const fd = openForReading(from, name, asked);
  try {
    bytes.left -= await copyInto(fd, to, target, asked, () => {
      if (bytes.left <= 0) throw new Refused(fail('too_large', 'tools.copyTooLarge', {}, { where: asked }));
    });
  } finally {
    closeSync(fd);
  }
}

/** Removes `name` and everything below it; yields to other work in between. */
export async function removeTree(folder: FolderHandle, name: string, walk: TreeWalk): Promise<void> {
  if (!lookAt(folder, name)?.isDirectory()) {
    unlinkSync(folder.at(name));
    return;
  }
  const below = openBelow(folder, name, walk.byHandles);
  try {
    for (const entry of namesIn(below, maxTreeEntries).names) await removeTree(below, entry, walk);
  } finally {
    below.close();
  }
  await Promise.resolve();
  rmdirSync(folder.at(name));
}
