/**
 * Text of strangers made safe to look at: characters that hide, reorder or overlap others are shown as their code
 * instead of acting, so that a name or an address cannot pretend to be another.
 */

import { codePointName, unseenCharacters } from '../../contract/visible-text.ts';

const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const code = (character: string): string => `[${codePointName(character)}]`;

/** For names, addresses and file names: one line, nothing hidden. */
export const visibleLine = (text: string): string => text.replace(/[\n\t]/g, ' ').replace(invisible, code);

/** For bodies: line breaks stay; the characters that reorder whole lines are shown. */
export const visibleBody = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, code);

/** Two letters that tell rows apart where there is no room for names. */
export const shortName = (name: string): string => [...visibleLine(name)].slice(0, 2).join('');

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
  /** The text stands for a character that one would not see. */
  readonly code: boolean;
}

/** For what is about to be done, such as commands and diffs: what is seen is what is there, in the order in which it is there. */
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
