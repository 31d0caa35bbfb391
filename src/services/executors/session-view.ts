/** The paths that programs of a session see, from the options of their executor. */
import { lstatSync, rmSync, statSync } from 'node:fs';
import type { SessionToOpen, Violation } from '../../core/executors/executor-ports.ts';
import { absolutePath, isInside, isInsideAny } from '../../core/policy/paths.ts';
import { realPath, realPathOrNull } from '../../platform/real-path.ts';
import type { SessionFiles } from './executor-session.ts';

/** All paths are absolute and real; a narrower one inside a wider one keeps its own right. */
export interface SessionView {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Folders that appear empty. */
  readonly hidden: readonly string[];
  /** Files that appear empty and cannot be written, because they are hidden or must not be made. */
  readonly masked: readonly string[];
}

export interface ViewPlaces {
  /** Folder of the person. */
  readonly home: string;
  readonly files: SessionFiles;
}

const unique = (paths: readonly string[]): readonly string[] => [...new Set(paths)];

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

export function viewOf(request: SessionToOpen, { home, files }: ViewPlaces): SessionView {
  const { options, workspace, visible = [], hidden = [] } = request;
  const at = (paths: readonly string[]): readonly string[] =>
    paths.map((path) => absolutePath(path, { cwd: workspace, home }));
  const existing = (paths: readonly string[]): readonly string[] =>
    paths.flatMap((path) => realPathOrNull(path) ?? []);
  const writable = unique([...existing([workspace, ...at(options.allow_write)]), files.state]);
  const isSeen = (path: string): boolean => isInsideAny([...writable, ...readable], path);
  const locked = at(options.deny_write).map(realPath);
  const kept = locked.filter((path) => realPathOrNull(path) !== null);
  const readable: readonly string[] = unique([
    ...existing([...at(options.allow_read), ...visible]),
    ...kept.filter((path) => isInsideAny(writable, path)),
    files.folder,
  ]);
  const closed = at(options.deny_read).map(realPath).filter(isSeen);
  return {
    // A path of both lists is readable only.
    writable: writable.filter((path) => !kept.includes(path)),
    readable,
    hidden: unique([...hidden.map(realPath).filter(isSeen), ...closed.filter(isFolder)]),
    masked: unique([
      ...closed.filter((path) => !isFolder(path)),
      ...locked.filter((path) => realPathOrNull(path) === null && isInsideAny(writable, path)),
    ]),
  };
}

/** Files that a mount made, because a mount needs something to lie on; by path, how many sessions use each. */
const madeByMounts = new Map<string, number>();

/** Removes at the end the empty files that the mounts over `masked` paths made. */
export function holdMasked(masked: readonly string[]): () => void {
  const missing = masked.filter((path) => madeByMounts.has(path) || realPathOrNull(path) === null);
  for (const path of missing) madeByMounts.set(path, (madeByMounts.get(path) ?? 0) + 1);
  return () => {
    for (const path of missing) {
      const left = (madeByMounts.get(path) ?? 1) - 1;
      if (left > 0) madeByMounts.set(path, left);
      else {
        madeByMounts.delete(path);
        removeIfEmpty(path);
      }
    }
  };
}

function removeIfEmpty(path: string): void {
  try {
    const found = lstatSync(path);
    if (found.isFile() && found.size === 0) rmSync(path);
  } catch {
    // It was not made.
  }
}

const refusals = [
  /(?:^|[\s'"‘’(:])(\/[^\s'"’:,;)]+)['"’]?: (Read-only file system|Permission denied|No such file or directory)/g,
  /(Read-only file system|Permission denied|No such file or directory): ['"](\/[^'"]+)['"]/g,
  /(EROFS|EACCES|ENOENT): [^,]+, \w+ ['"](\/[^'"]+)['"]/g,
];
const mostRefusals = 5;

/**
 * Paths outside of the view that exist on this computer, from the messages of programs. Programs may print anything,
 * so this only ever leads to a question. Paths below `never` are left out.
 */
export function refusedPathsIn(
  stderr: string,
  view: Pick<SessionView, 'readable' | 'writable'>,
  never: readonly string[],
): readonly Violation[] {
  const found = new Map<string, Violation>();
  for (const pattern of refusals)
    for (const [, first = '', second = ''] of stderr.slice(-16_384).matchAll(pattern)) {
      const [path, said] = first.startsWith('/') ? [first, second] : [second, first];
      const kind = /Read-only|EROFS/.test(said) ? 'write' : 'read';
      if (found.size >= mostRefusals || !isRefusal(path, kind, view, never)) continue;
      found.set(path, { kind, target: path });
    }
  return [...found.values()];
}

function isRefusal(
  path: string,
  kind: 'read' | 'write',
  { readable, writable }: Pick<SessionView, 'readable' | 'writable'>,
  never: readonly string[],
): boolean {
  if (isInsideAny(writable, path) || never.some((root) => isInside(root, path) || isInside(path, root)))
    return false;
  if (kind === 'write') return true;
  return !isInsideAny(readable, path) && realPathOrNull(path) !== null;
}
