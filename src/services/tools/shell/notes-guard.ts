/**
 * What the sandbox of a shell may do to the agent's notes where they lie in a folder that the shell writes: read them.
 * Notes change through the tools for notes, which keep who wrote each line (T9).
 */
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { SandboxView } from '../../../core/tool-ports.ts';

const isBelow = (root: string, path: string): boolean =>
  path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);

function realOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** Whether a link that the shell could lead elsewhere lies on the way. */
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
    // The real path will be missing, and the shell refuses.
  }
}

/** Folders between a root and what lies in it, neither included. */
function between(root: string, path: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(path); isBelow(root, at); at = dirname(at)) found.push(at);
  return found;
}

/**
 * The view with the notes read-only; `null` if they lie in the very folder that the shell writes, so that nothing tells
 * them from its files, or behind a link in it. The folders on the way become mounts of their own, because a mount cannot be moved aside.
 */
export function withNotesReadOnly(view: SandboxView, notes: string): SandboxView | null {
  const near = (path: string): boolean => view.writable.some((root) => root === path || isBelow(root, path));
  if (hasMovableLink(notes, near)) return null;
  if (!near(notes) && !near(realOf(notes) ?? notes)) return view;
  // One that is not there could be made inside; a mount needs it to be there.
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
