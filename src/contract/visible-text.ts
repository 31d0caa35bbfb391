/** Which characters of untrusted text a reader would not see as what they are, for every surface that shows it. */

/**
 * Control, format, private and unassigned characters, fillers, and every space but the plain one. Line breaks and tabs
 * are left to the caller.
 */
export const unseenCharacters =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** E.g. `U+202E`. */
export const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const inBrackets = (character: string): string => `[${codePointName(character)}]`;

/** Line breaks and tabs stay; what would not be seen is named in brackets. */
export const toVisibleText = (text: string): string => text.replace(unseenCharacters, inBrackets);

/** One line: also line breaks and tabs are named. */
export const toVisibleLine = (text: string): string => toVisibleText(text).replace(/[\n\t]/g, inBrackets);
