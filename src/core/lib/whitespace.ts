/**
 * Whitespace as in Python's `str.isspace` and `str.strip`, with which the Puffo test vectors were recorded.
 */

// Unlike JavaScript's \s, it includes U+001C..U+001F and U+0085, and excludes U+FEFF.
const pythonSpace =
  '\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const anySpace = new RegExp(`[${pythonSpace}]`);
const leading = new RegExp(`^[${pythonSpace}]+`);
const trailing = new RegExp(`[${pythonSpace}]+$`);

export const hasSpace = (text: string): boolean => anySpace.test(text);

export const stripStart = (text: string): string => text.replace(leading, '');

/** Scans backwards: a regular expression for trailing blanks is quadratic on long inner runs. */
export function stripEnd(text: string): string {
  if (!trailing.test(text.slice(-1))) return text;
  let end = text.length;
  while (end > 0 && anySpace.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export const strip = (text: string): string => stripEnd(stripStart(text));

export const isBlank = (text: string): boolean => strip(text) === '';
