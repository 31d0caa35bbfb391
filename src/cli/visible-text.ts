// Text of agents and strangers on a terminal: characters that hide, reorder or steer it are shown as their code.

const code = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/** Line breaks and tabs stay. */
export const visibleText = (text: string): string =>
  text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, code);

/** For names and sentences: one line. */
export const visibleLine = (text: string): string => visibleText(text.replace(/[\n\t]/g, ' '));
