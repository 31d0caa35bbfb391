/** Paths as an operator and a model read them: below the workspace relative, elsewhere whole, odd characters escaped. */
import { shortPath } from '../../../core/policy/paths.ts';
import type { ConfinedFiles } from '../../../core/tool-ports.ts';

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** In quotes; control and direction characters escaped, which could pass for other lines or other names. */
export const quotedName = (name: string): string =>
  JSON.stringify(name).replace(
    hidden,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

/** Quoted only where it has to be. */
export const plainName = (name: string): string => (name.search(hidden) < 0 ? name : quotedName(name));

export const shownPath = (files: ConfinedFiles, real: string): string =>
  plainName(shortPath(real, { cwd: files.roots.cwd, home: '' }));
