/** Recognises a single emoji, as a reaction needs it. */

// biome-ignore lint/complexity/useRegexLiterals: TypeScript accepts the `v` flag only for its newest target
const oneEmoji = new RegExp('^\\p{RGI_Emoji}$', 'v');

/** Asks for the coloured form of a character that also has a text form. */
const coloured = '\uFE0F';

/** The typed text as one emoji, or `null` if it is none or more than one. */
export function toEmoji(typed: string): string | null {
  const text = typed.trim();
  if (text.length > 40) return null;
  return [text, `${text}${coloured}`].find((form) => oneEmoji.test(form)) ?? null;
}
