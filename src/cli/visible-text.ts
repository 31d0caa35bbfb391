// Text of agents and strangers on a terminal: characters that hide, reorder or steer it are shown as their code.

const point = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

const code = (character: string): string => `<U+${point(character)}>`;

/** Line breaks and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, code);

/** For names and sentences: one line. */
export const visibleLine = (text: string): string => visibleText(text.replace(/[\n\t]/g, ' '));

/** What steers a terminal or reorders a line; joiners of emoji and of scripts are not among it. */
const steering = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

/** The net under all that is printed (T21): nothing in it moves, colours, hides or reorders. */
export const printable = (text: string): string => text.replace(steering, code);

/** The same for a JSON text, which keeps its meaning. */
export const printableJson = (json: string): string =>
  json.replace(steering, (character) => `\\u${point(character)}`);
