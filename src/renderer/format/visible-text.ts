/**
 * Makes untrusted text safe to display: characters that hide, reorder or overlap others are shown as their
 * code, so that a name or an address cannot imitate another one.
 */

import { codePointName, unseenCharacters } from '../../contract/visible-text.ts';

const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const code = (character: string): string => `[${codePointName(character)}]`;

/** For names, addresses and file names: one line without invisible characters. */
export const visibleLine = (text: string): string => text.replace(/[\n\t]/g, ' ').replace(invisible, code);

/** For message bodies: keeps line breaks and shows bidirectional control characters as codes. */
export const visibleBody = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, code);

export function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s._-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first = '', second = ''] = words;
  return ([...first][0] ?? '?').toUpperCase() + ([...second][0] ?? '').toUpperCase();
}

export interface ExactPart {
  readonly text: string;
  /** The text is the code of an invisible character. */
  readonly code: boolean;
}

/**
 * For subjects of a decision, such as commands and diffs: every character is visible and in its real order.
 */
export function exactParts(text: string): ExactPart[] {
  const parts: ExactPart[] = [];
  let at = 0;
  for (const found of text.matchAll(unseenCharacters)) {
    if (found.index > at) parts.push({ text: text.slice(at, found.index), code: false });
    parts.push({ text: code(found[0]), code: true });
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), code: false });
  return parts;
}
