/** Reads untrusted JSON: a text nested too deeply is refused before it is parsed (T24). */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { depthWithin } from '../../core/lib/json-depth.ts';
import { parseSafeJson } from '../../core/lib/safe-json.ts';
import { maxJsonDepth } from '../../core/puffo/wire.ts';

export function parseJson(text: string): Result<unknown> {
  if (!depthWithin(text, maxJsonDepth)) return err(fail('too_large', 'server.jsonTooDeep'));
  try {
    return ok(parseSafeJson(text));
  } catch {
    return err(fail('protocol', 'server.notJson'));
  }
}
