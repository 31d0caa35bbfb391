/**
 * The digest that binds an answer to what was shown: sha256 over the canonical JSON (RFC 8785) of agent, tool and
 * arguments. Arguments may hold what the wire protocol's stricter form refuses (fractions, names in any script), so
 * the form is written here; where both have one, they are the same.
 */
import { utf8 } from '../lib/bytes.ts';

const maxDepth = 64;

function write(value: unknown, depth: number): string {
  if (depth > maxDepth) throw new RangeError('nested too deep');
  if (Array.isArray(value)) return `[${value.map((item) => write(item ?? null, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const record = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(record).filter((name) => record[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${write(record[name], depth + 1)}`)
    .join(',')}}`;
}

/** Null when the value is nested more than 64 levels deep. */
export function stableJson(value: unknown): string | null {
  try {
    return write(value, 0);
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
