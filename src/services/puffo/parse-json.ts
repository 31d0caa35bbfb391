/** Reads untrusted JSON: a text nested too deeply is refused before it is parsed (T24). */
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { parseSafeJson } from '../../core/lib/safe-json.ts';
import { maxJsonDepth } from '../../core/puffo/wire.ts';

const quote = 34;
const backslash = 92;

/** Index of the quote that ends the string opened at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** Counts brackets outside strings; does not check the syntax. */
function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

export function parseJson(text: string): Result<unknown> {
  if (nestsDeeperThan(text, maxJsonDepth)) return err(appError('too_large', 'The JSON nests too deep.'));
  try {
    return ok(parseSafeJson(text));
  } catch {
    return err(appError('protocol', 'That is not JSON.'));
  }
}
