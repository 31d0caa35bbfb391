/**
 * The digest that binds an answer to what was shown: sha256 over the canonical JSON (RFC 8785) of agent, tool and
 * arguments. Arguments may hold what the wire protocol's stricter form refuses (fractions, names in any script), so
 * they take the freer form of `stable-json.ts`; where both have one, they are the same.
 */
import { utf8 } from '../lib/bytes.ts';
import { writeStable } from '../lib/stable-json.ts';

const maxDepth = 64;

/** Null when the value is nested more than 64 levels deep. */
export function stableJson(value: unknown): string | null {
  try {
    return writeStable(value, maxDepth);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Null when the arguments are nested too deep to be looked at. */
export function callDigest(
  sha256: (bytes: Uint8Array) => string,
  call: { readonly agentId: string; readonly tool: string; readonly args: Readonly<Record<string, unknown>> },
): string | null {
  const { agentId: agent, tool, args } = call;
  const text = stableJson({ agent, tool, args });
  return text === null ? null : sha256(utf8(text));
}
