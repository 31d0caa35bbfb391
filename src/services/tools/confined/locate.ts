/** Resolves an agent's path to its current real path, or to the reason for a refusal (T14, T15). */
import { isAbsolute, join, resolve } from 'node:path';
import type { AppError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { isInside } from '../../../core/policy/paths.ts';
import { systemErrorCode } from '../../../platform/system-error.ts';
import { fileError, isRoot, outside } from './confined-errors.ts';
import { parentOf } from './folder-handle.ts';
import { type Access, holdsRoot, type PinnedRoots, realOrMissing, rootFor } from './roots.ts';
import { isWindowsTrap } from './windows-names.ts';

const maxPathLength = 4096;

export interface LocatedPath {
  readonly asked: string;
  readonly real: string;
  /** Names at the end of `real` that do not exist yet. */
  readonly missing: readonly string[];
}

function checkText(path: string, windowsNames: boolean): AppError | null {
  if (path === '' || path.includes('\0') || path.length > maxPathLength) {
    const shown = path.slice(0, 200).replaceAll('\0', '\\0');
    return fail('invalid_input', 'tools.invalidPath', {}, { where: shown });
  }
  if (windowsNames && isWindowsTrap(path)) {
    return fail(
      'invalid_input',
      'tools.windowsReservedName',
      {},
      { help: 'tools.usePlainName', where: path },
    );
  }
  return null;
}

/** `whole` follows links to the end. `entry` means the last name itself, even if it is a link. */
export function locate(
  roots: PinnedRoots,
  asked: string,
  access: Access,
  meant: 'whole' | 'entry' = 'whole',
): Result<LocatedPath> {
  const bad = checkText(asked, roots.windowsNames);
  if (bad) return err(bad);
  const full = isAbsolute(asked) ? resolve(asked) : resolve(roots.cwd, asked);
  try {
    const { folder, name } = parentOf(full);
    const start = realOrMissing(meant === 'entry' && name !== '' ? folder : full);
    const rest = meant === 'entry' && name !== '' ? [...start.missing, name] : start.missing;
    const real = join(start.real, ...rest);
    if (rootFor(roots, real, access) === null) return err(outside(asked));
    return ok({ asked, real, missing: rest });
  } catch (error) {
    // The error does not reveal if a path outside exists.
    const within = roots.readable.some((root) => isInside(root, full));
    return err(
      within || systemErrorCode(error) === 'ENAMETOOLONG' ? fileError(error, asked) : outside(asked),
    );
  }
}

/** Like `locate`, for a path to change: never a root, and its parent folder must exist. */
export function locateTarget(
  roots: PinnedRoots,
  asked: string,
  meant: 'whole' | 'entry',
): Result<LocatedPath> {
  const place = locate(roots, asked, 'write', meant);
  if (!place.ok) return place;
  if (holdsRoot(roots, place.value.real)) return err(isRoot(asked));
  return place.value.missing.length > 1
    ? err(fail('not_found', 'tools.unknownParentFolder', {}, { where: asked }))
    : place;
}
