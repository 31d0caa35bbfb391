/** Checks the nesting depth of JSON text without parsing it. */

/** Index of the closing quote of the string opened at `start`, or the end of the text. */
function stringEnd(json: string, start: number): number {
  for (let i = start + 1; i < json.length; i += 1) {
    const c = json.charCodeAt(i);
    if (c === 0x22) return i;
    if (c === 0x5c) i += 1;
  }
  return json.length;
}

/** Counts brackets outside strings, so that a hostile depth is refused before the parser recurses. */
export function depthWithin(json: string, limit: number): boolean {
  let depth = 0;
  for (let i = 0; i < json.length; i += 1) {
    const c = json.charCodeAt(i);
    if (c === 0x22) i = stringEnd(json, i);
    else if (c === 0x7b || c === 0x5b) depth += 1;
    else if (c === 0x7d || c === 0x5d) depth -= 1;
    if (depth > limit) return false;
  }
  return true;
}
