/** Finds characters of untrusted text that a reader cannot see or could mistake, for every surface. */

/**
 * Control, format, private and unassigned characters, fillers, and all spaces except U+0020. The caller
 * handles line breaks and tabs.
 */
export const unseenCharacters =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** For example `U+202E`. */
export const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const inBrackets = (character: string): string => `[${codePointName(character)}]`;

/** Keeps line breaks and tabs; replaces invisible characters by their names in brackets. */
export const toVisibleText = (text: string): string => text.replace(unseenCharacters, inBrackets);

/** One line: line breaks and tabs are replaced too. */
export const toVisibleLine = (text: string): string => toVisibleText(text).replace(/[\n\t]/g, inBrackets);
