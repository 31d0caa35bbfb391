/** Where a step may work and read: below one folder, whatever links lie on the way. */
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
import { err, ok, type Result } from '../../contract/result.ts';

/** Of templates; code units of a file that is text. */
const longestText = 4 * 1024 * 1024;

const isInside = (root: string, place: string): boolean =>
  place === root || place.startsWith(root.endsWith(path.sep) ? root : root + path.sep);

function realPlace(root: string, wanted: string): Result<string> {
  try {
    const real = realpathSync.native(root);
    const named = path.resolve(real, wanted);
    const place = named === real ? real : realpathSync.native(named);
    if (isInside(real, place)) return ok(place);
    return err(appError('forbidden', 'cwd must stay within the working directory.', { where: wanted }));
  } catch {
    return err(appError('not_found', 'The working folder is not there.', { where: wanted }));
  }
}

/** `wanted` is relative to `root`, and inside it once every link is followed. */
export function confinedFolder(root: string, wanted: string): Result<string> {
  if (path.isAbsolute(wanted) || /^[A-Za-z]:/.test(wanted)) {
    return err(appError('forbidden', 'cwd must be a relative path.', { where: wanted }));
  }
  if (wanted.includes('\0')) return err(appError('invalid_input', 'A path cannot hold a NUL byte.'));
  if (!isInside(path.resolve(root), path.resolve(root, wanted))) {
    return err(appError('forbidden', 'cwd must stay within the working directory.', { where: wanted }));
  }
  const place = realPlace(root, wanted);
  if (!place.ok || statSync(place.value).isDirectory()) return place;
  return err(appError('invalid_input', 'The working folder is no folder.', { where: wanted }));
}

const outside = 'The file is not there, or not below the working folder.';

/** What was opened is what lies there: whoever changes a link in between changes nothing (T14). */
function isStillThere(root: string, wanted: string, file: number): boolean {
  const [opened, place] = [fstatSync(file), realPlace(root, wanted)];
  if (!place.ok) return false;
  const now = lstatSync(place.value);
  return now.ino === opened.ino && now.dev === opened.dev;
}

/** A text file below `root`. */
export function readConfined(root: string, wanted: string): Result<string> {
  const place = realPlace(root, wanted);
  if (!place.ok) return err({ ...place.error, message: outside });
  let file: number | null = null;
  try {
    // Neither waits for a pipe nor follows a link that was put there since.
    file = openSync(place.value, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!isStillThere(root, wanted, file)) return err(appError('forbidden', outside, { where: wanted }));
    const { size, nlink } = fstatSync(file);
    // A second name may be one of a file outside.
    if (nlink > 1) return err(appError('forbidden', `${wanted} has a second name elsewhere.`));
    if (size <= longestText && fstatSync(file).isFile()) return ok(readFileSync(file, 'utf8'));
    return err(appError('too_large', `${wanted} is no file of at most 4 MiB.`));
  } catch {
    return err(appError('io_error', `${wanted} could not be read.`));
  } finally {
    if (file !== null) closeSync(file);
  }
}
