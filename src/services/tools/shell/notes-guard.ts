/**
 * Keeps an agent's notes read-only in the sandbox of a shell that can write their folder. Notes change only
 * through the note tools, which record the author of each line (T9).
 */
import { lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside, isInsideAny } from '../../../core/policy/paths.ts';
import type { SandboxView } from '../../../core/tools/process-ports.ts';
import { realPathOrNull } from '../../../platform/real-path.ts';

/**
 * True if a link on the path is in a folder that the shell can write, so that the shell could redirect it.
 */
function hasMovableLink(path: string, isWritable: (path: string) => boolean): boolean {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    const folder = realPathOrNull(dirname(at));
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
  for (let at = dirname(path); at !== root && isInside(root, at); at = dirname(at)) found.push(at);
  return found;
}

/**
 * The view with the notes read-only; `null` if the notes are directly in a writable root, and so cannot be
 * told from its files, or behind a link in it. The folders in between become mounts of their own, because a
 * mount cannot be moved aside.
 */
export function withNotesReadOnly(view: SandboxView, notes: string): SandboxView | null {
  const near = (path: string): boolean => isInsideAny(view.writable, path);
  if (hasMovableLink(notes, near)) return null;
  if (!near(notes) && !near(realPathOrNull(notes) ?? notes)) return view;
  // The shell could create a missing folder, and a mount needs an existing one.
  makeFolder(notes);
  const real = realPathOrNull(notes);
  if (real === null || view.writable.includes(real)) return null;
  const holders = view.writable.filter((root) => isInside(root, real));
  if (holders.length === 0) return view;
  return {
    ...view,
    readable: [...view.readable, real],
    writable: [...view.writable, ...holders.flatMap((root) => between(root, real))],
  };
}
