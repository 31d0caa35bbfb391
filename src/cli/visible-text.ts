import { codePointName, unseenCharacters } from '../contract/visible-text.ts';

// Text of agents and strangers on a terminal: characters that hide, reorder or steer it are shown as their code.

const code = (character: string): string => `<${codePointName(character)}>`;

/** Line breaks and tabs stay. */
export const visibleText = (text: string): string => text.replace(unseenCharacters, code);

/** For titles, paths and arguments in a question: one line, in which line breaks and tabs are shown as their code. */
export const visibleExactLine = (text: string): string => visibleText(text).replace(/[\n\t]/g, code);

/** For names and sentences: one line. */
export const visibleLine = (text: string): string => visibleText(text.replace(/[\n\t]/g, ' '));

/** What steers a terminal or reorders a line; joiners of emoji and of scripts are not among it. */
const steering = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

/** The net under all that is printed (T21): nothing in it moves, colours, hides or reorders. */
export const printable = (text: string): string => text.replace(steering, code);

/** The same for a JSON text, which keeps its meaning. */
export const printableJson = (json: string): string =>
  json.replace(steering, (character) => `\\u${codePointName(character).slice(2)}`);
