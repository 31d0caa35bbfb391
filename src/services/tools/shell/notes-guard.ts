/**
 * Keeps an agent's notes read-only in the sandbox of a shell that can write their folder. Notes change only
 * through the note tools, which record the author of each line (T9).
 */
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { SandboxView } from '../../../core/tools/process-ports.ts';

const isBelow = (root: string, path: string): boolean =>
  path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);

function realOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/**
 * True if a link on the path is in a folder that the shell can write, so that the shell could redirect it.
 */
function hasMovableLink(path: string, isWritable: (path: string) => boolean): boolean {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    const folder = realOf(dirname(at));
    const isLink = lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (isLink && folder !== null && isWritable(folder)) return true;
  }
  return false;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // The real path will be missing, so the shell refuses.
  }
}

/** The folders between a root and a path in it, both excluded. */
function between(root: string, path: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(path); isBelow(root, at); at = dirname(at)) found.push(at);
  return found;
}

/**
 * The view with the notes read-only; `null` if the notes are directly in a writable root, and so cannot be
 * told from its files, or behind a link in it. The folders in between become mounts of their own, because a
 * mount cannot be moved aside.
 */
export function withNotesReadOnly(view: SandboxView, notes: string): SandboxView | null {
  const near = (path: string): boolean => view.writable.some((root) => root === path || isBelow(root, path));
  if (hasMovableLink(notes, near)) return null;
  if (!near(notes) && !near(realOf(notes) ?? notes)) return view;
  // The shell could create a missing folder, and a mount needs an existing one.
  makeFolder(notes);
  const real = realOf(notes);
  if (real === null || view.writable.includes(real)) return null;
  const holders = view.writable.filter((root) => isBelow(root, real));
  if (holders.length === 0) return view;
  return {
    ...view,
    readable: [...view.readable, real],
    writable: [...view.writable, ...holders.flatMap((root) => between(root, real))],
  };
}
