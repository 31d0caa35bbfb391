/** Makes the paths of a command absolute, and safe as arguments of a program. */
import { isAbsolute, normalize } from 'node:path';

/** Lexical only; `ConfinedFiles` decides what the path means on disk. */
export const below = (cwd: string, path: string): string => (isAbsolute(path) ? path : `${cwd}/${path}`);

/**
 * Removes `..` in the same way as the check does, because a program would follow a link first and reach
 * another file. The result never looks like an option or an operator of `find`.
 */
export function programPath(path: string): string {
  const plain = normalize(path);
  return /^[\w./]/.test(plain) ? plain : `./${plain}`;
}
