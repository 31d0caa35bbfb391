/**
 * The folders an agent may use, pinned to real paths once. It promises that the agent cannot redirect a root:
 * a root below a writable one counts only while it really is there.
 */
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { FileRoots } from '../../../core/policy/assessment.ts';
import { isInside } from '../../../core/policy/paths.ts';
import { systemErrorCode } from '../../../platform/system-error.ts';

export type Access = 'read' | 'write';

export interface PinnedRoots {
  readonly cwd: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** True if names that Windows interprets specially are refused. */
  readonly windowsNames: boolean;
}

/** The current real path; if its end is missing, the real path of the existing part and the missing names. */
export function realOrMissing(path: string): { readonly real: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return { real: realpathSync.native(at), missing };
    } catch (error) {
      const code = systemErrorCode(error);
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(at) === at) throw error;
      missing.unshift(at.slice(dirname(at).length).replace(/^[\\/]+/, ''));
    }
  }
}

function realRoot(path: string): string | null {
  try {
    const { real, missing } = realOrMissing(resolve(path));
    return join(real, ...missing);
  } catch {
    return null;
  }
}

export function pinRoots(roots: FileRoots, windowsNames: boolean): PinnedRoots {
  const named = (paths: readonly string[]) =>
    paths.filter(isAbsolute).flatMap((path) => {
      const real = realRoot(path);
      return real === null ? [] : [{ path: resolve(path), real }];
    });
  const writableNamed = named(roots.writable);
  const stays = (one: { path: string; real: string }): boolean =>
    writableNamed.every(
      (other) => other === one || !isInside(other.real, one.path) || isInside(other.real, one.real),
    );
  const writable = [...new Set(writableNamed.filter(stays).map(({ real }) => real))];
  const readable = named(roots.readable)
    .filter(stays)
    .map(({ real }) => real);
  return {
    cwd: realRoot(roots.cwd) ?? resolve(roots.cwd),
    writable,
    readable: [...new Set([...readable, ...writable])],
    windowsNames,
  };
}

/** The widest root that contains a real path for this access, or `null` if none does. */
export function rootFor(roots: PinnedRoots, real: string, access: Access): string | null {
  const holding = (access === 'write' ? roots.writable : roots.readable).filter((root) =>
    isInside(root, real),
  );
  return holding.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

/** True if the path is a root or contains one: it must not be moved, removed or replaced. */
export const holdsRoot = (roots: PinnedRoots, real: string): boolean =>
  roots.readable.some((root) => isInside(real, root)) || isInside(real, roots.cwd);
