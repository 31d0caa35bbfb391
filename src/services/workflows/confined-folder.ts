/** Confines the working folder and the files of a step to one root folder, with all links resolved. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isInside } from '../../core/policy/paths.ts';
import { say } from '../../language/say.ts';

/** Maximum bytes of a template file. */
const longestText = 4 * 1024 * 1024;

function realPlace(root: string, wanted: string): Result<string> {
  try {
    const real = realpathSync.native(root);
    const named = path.resolve(real, wanted);
    const place = named === real ? real : realpathSync.native(named);
    if (isInside(real, place)) return ok(place);
    return err(fail('forbidden', 'workflows.cwdOutside', {}, { where: wanted }));
  } catch {
    return err(fail('not_found', 'workflows.unknownWorkingFolder', {}, { where: wanted }));
  }
}

/** `wanted` is relative to `root`, and must be inside it once every link is resolved. */
export function confinedFolder(root: string, wanted: string): Result<string> {
  if (path.isAbsolute(wanted) || /^[A-Za-z]:/.test(wanted)) {
    return err(fail('forbidden', 'workflows.cwdNotRelative', {}, { where: wanted }));
  }
  if (wanted.includes('\0')) return err(fail('invalid_input', 'workflows.nulInPath'));
  if (!isInside(path.resolve(root), path.resolve(root, wanted))) {
    return err(fail('forbidden', 'workflows.cwdOutside', {}, { where: wanted }));
  }
  const place = realPlace(root, wanted);
  if (!place.ok || statSync(place.value).isDirectory()) return place;
  return err(fail('invalid_input', 'workflows.workingFolderNotFolder', {}, { where: wanted }));
}

const outside = say('workflows.fileNotBelowFolder');

/** True if the opened file is still the one at this path: a link swapped in between is detected (T14). */
function isStillThere(root: string, wanted: string, file: number): boolean {
  const [opened, place] = [fstatSync(file), realPlace(root, wanted)];
  if (!place.ok) return false;
  const now = lstatSync(place.value);
  return now.ino === opened.ino && now.dev === opened.dev;
}

/** Reads a text file below `root`. */
export function readConfined(root: string, wanted: string): Result<string> {
  const place = realPlace(root, wanted);
  if (!place.ok) return err(appError(place.error.code, outside, { where: place.error.where }));
  let file: number | null = null;
  try {
    // Neither blocks on a pipe nor follows a link created since.
    file = openSync(place.value, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!isStillThere(root, wanted, file)) return err(appError('forbidden', outside, { where: wanted }));
    const { size, nlink } = fstatSync(file);
    // A second hard link may belong to a file outside.
    if (nlink > 1) return err(fail('forbidden', 'workflows.fileHasHardLinks', { wanted }));
    if (size <= longestText && fstatSync(file).isFile()) return ok(readFileSync(file, 'utf8'));
    return err(fail('too_large', 'workflows.notFileOrTooLarge', { path: wanted }));
  } catch {
    return err(fail('io_error', 'workflows.fileUnreadable', { path: wanted }));
  } finally {
    if (file !== null) closeSync(file);
  }
}
