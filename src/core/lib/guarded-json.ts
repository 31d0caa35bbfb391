/** JSON from untrusted clients: UTF-8 and nesting are checked before parsing (T24). */
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { fromUtf8 } from './bytes.ts';
import { depthWithin } from './json-depth.ts';
import { parseSafeJson } from './safe-json.ts';

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: HostMessage };

/** An empty body counts as an empty object: clients send nothing for `{}` (spec §2.1). */
export function parseGuardedJson(bytes: Uint8Array, maxDepth: number): ParsedJson {
  if (bytes.length === 0) return { ok: true, value: {} };
  const text = fromUtf8(bytes);
  if (text === null) return { ok: false, why: say('fields.notUtf8') };
  if (!depthWithin(text, maxDepth)) {
    return { ok: false, why: say('fields.tooDeep', { n: maxDepth }) };
  }
  try {
    return { ok: true, value: parseSafeJson(text) };
  } catch {
    return { ok: false, why: say('fields.notJson') };
  }
}
