/** Whitespace as Python's `str.isspace` and `str.strip` see it, which is what the Puffo vectors were recorded with. */

// U+001C..U+001F and U+0085 count there and not in JavaScript's \s; U+FEFF is the other way round.
const pythonSpace =
  '\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const anySpace = new RegExp(`[${pythonSpace}]`);
const leading = new RegExp(`^[${pythonSpace}]+`);
const trailing = new RegExp(`[${pythonSpace}]+$`);

export const hasSpace = (text: string): boolean => anySpace.test(text);

export const stripStart = (text: string): string => text.replace(leading, '');

/** Walks back by hand: a trailing-run regular expression is quadratic on long inner runs. */
export function stripEnd(text: string): string {
  if (!trailing.test(text.slice(-1))) return text;
  let end = text.length;
  while (end > 0 && anySpace.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export const strip = (text: string): string => stripEnd(stripStart(text));

export const isBlank = (text: string): boolean => strip(text) === '';
