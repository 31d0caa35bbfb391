import { codePointName, unseenCharacters } from '../contract/visible-text.ts';
import type { HostText } from '../language/host-message.ts';
import { shown } from './copy.ts';

// Text of agents and strangers for a terminal: characters that hide, reorder or control text are shown as
// their code.

const code = (character: string): string => `<${codePointName(character)}>`;

/** Keeps line breaks and tabs. */
export const visibleText = (text: HostText): string => shown(text).replace(unseenCharacters, code);

/** For titles, paths and arguments in a question: one line, with line breaks and tabs as codes. */
export const visibleExactLine = (text: HostText): string => visibleText(text).replace(/[\n\t]/g, code);

/** For names and sentences: one line. */
export const visibleTerminalLine = (text: HostText): string =>
  visibleText(shown(text).replace(/[\n\t]/g, ' '));

/** Characters that control a terminal or reorder a line, without joiners of emoji and scripts. */
const steering = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

/** Applied to all output (T21): nothing in it moves the cursor, colours, hides or reorders text. */
export const printable = (text: string): string => text.replace(steering, code);

/** The same for JSON text, without changing its meaning. */
export const printableJson = (json: string): string =>
  json.replace(steering, (character) => `\\u${codePointName(character).slice(2)}`);
