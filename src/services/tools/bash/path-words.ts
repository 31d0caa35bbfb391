/** Paths as a command writes them: made absolute, and made safe to be given to a program under that name. */
import { isAbsolute, normalize } from 'node:path';

/** Lexical only; what it means on the disk is decided by `ConfinedFiles`. */
export const below = (cwd: string, path: string): string => (isAbsolute(path) ? path : `${cwd}/${path}`);

/**
 * `..` is taken out the same way as the check does it: a program would follow a link first and end up elsewhere. Nothing
 * looks like an option or an operator of `find`.
 */
export function programPath(path: string): string {
  const plain = normalize(path);
  return /^[\w./]/.test(plain) ? plain : `./${plain}`;
}
