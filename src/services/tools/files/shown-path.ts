/** Paths as an operator and a model read them: below the workspace relative, elsewhere whole, odd characters escaped. */
import { shortPath } from '../../../core/policy/paths.ts';
import type { ConfinedFiles } from '../../../core/tool-ports.ts';

/** Control and direction characters could pass for other lines or other names. */
export const plainName = (name: string): string =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
    ? JSON.stringify(name).replace(
        /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
        (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
      )
    : name;

export const shownPath = (files: ConfinedFiles, real: string): string =>
  plainName(shortPath(real, { cwd: files.roots.cwd, home: '' }));
