/**
 * Text of strangers made safe to look at: characters that hide, reorder or overlap others are shown as their code
 * instead of acting, so that a name or an address cannot pretend to be another.
 */

const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const code = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

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
