/**
 * Paths as shown to operators and models: relative in the workspace, absolute elsewhere, with unusual
 * characters escaped.
 */
import { shortPath } from '../../../core/policy/paths.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Quotes a name and escapes control and direction characters, which could imitate other lines or names. */
export const quotedName = (name: string): string =>
  JSON.stringify(name).replace(
    hidden,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

/** Quotes a name only if necessary. */
export const plainName = (name: string): string => (name.search(hidden) < 0 ? name : quotedName(name));

export const shownPath = (files: ConfinedFiles, real: string): string =>
  plainName(shortPath(real, { cwd: files.roots.cwd, home: '' }));
