/**
 * Repairs two common mistakes of models inside JSON strings: raw control characters and unknown escapes.
 * Everything else stays unchanged, so otherwise broken text still fails a strict parse.
 */

const hexQuad = /^[\da-fA-F]{4}$/;

const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

/** Length of the escape that starts at `at` (a backslash), 0 if JSON does not know it. */
function escapeLength(text: string, at: number): number {
  const char = text[at + 1] ?? '';
  if (char === 'u') return hexQuad.test(text.slice(at + 2, at + 6)) ? 6 : 0;
  return char !== '' && '"\\/bfnrt'.includes(char) ? 2 : 0;
}

/** Linear in the length of `text`. */
export function repairJson(text: string): string {
  let out = '';
  let kept = 0;
  let inString = false;
  let at = 0;
  const replace = (length: number, by: string): void => {
    out += text.slice(kept, at) + by;
    at += length;
    kept = at;
  };
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      inString = !inString;
      at += 1;
    } else if (!inString) at += 1;
    else if (code === 0x5c) {
      const length = escapeLength(text, at);
      if (length === 0) replace(1, '\\\\');
      else at += length;
    } else if (code < 0x20) replace(1, escaped(code));
    else at += 1;
  }
  return out + text.slice(kept);
}
