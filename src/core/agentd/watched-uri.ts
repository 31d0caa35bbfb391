/**
 * Addresses that an agent reacts to: a resource of an MCP server, or `tool://NAME/?a=1#poll=5`, the result of a
 * tool that is called again and again.
 */
import type { JsonSchema } from '../models/model-ports.ts';

export type WatchedUri =
  | {
      readonly kind: 'tool';
      /** Of one server, if the address says `tool://SERVER.NAME/`. */
      readonly tool: string;
      readonly query: Readonly<Record<string, readonly string[]>>;
      /** `null` for the interval of the command line. */
      readonly pollMs: number | null;
    }
  | { readonly kind: 'resource'; readonly uri: string };

const toolUri = /^tool:\/\/([^/?#\s]+)\/?(?:\?([^#]*))?(?:#(.*))?$/s;
const resourceUri = /^[a-z][a-z0-9+.-]*:\S+$/i;
const shortestPollMs = 100;
const longestPollMs = 86_400_000;

/** Seconds of `poll=5`; `undefined` if it is no number that can be waited for. */
function pollOf(fragment: string): number | null | undefined {
  const poll = new URLSearchParams(fragment).get('poll');
  if (poll === null) return fragment === '' ? null : undefined;
  const ms = Number(poll) * 1_000;
  return poll.trim() !== '' && ms >= shortestPollMs && ms <= longestPollMs ? ms : undefined;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** `null` if the text is no such address. */
export function readWatchedUri(uri: string): WatchedUri | null {
  const match = toolUri.exec(uri);
  if (!match) return !uri.startsWith('tool:') && resourceUri.test(uri) ? { kind: 'resource', uri } : null;
  const [, host = '', search = '', fragment = ''] = match;
  const [tool, pollMs] = [decoded(host), pollOf(fragment)];
  if (tool === null || pollMs === undefined) return null;
  const query: Record<string, string[]> = Object.create(null);
  for (const [key, value] of new URLSearchParams(search)) query[key] = [...(query[key] ?? []), value];
  return { kind: 'tool', tool, query, pollMs };
}

type Types = ReadonlySet<unknown>;

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** Types that a schema accepts, also through unions. */
function typesOf(schema: unknown, depth = 0): Types {
  if (!isSchema(schema) || depth > 4) return new Set();
  const { type, anyOf, oneOf } = schema as Readonly<Record<string, unknown>>;
  const union = [anyOf, oneOf].flatMap((members) => (Array.isArray(members) ? members : []));
  return new Set([...[type].flat(), ...union.flatMap((member) => [...typesOf(member, depth + 1)])]);
}

function parsedAs(value: string, types: Types): unknown {
  if ((types.has('number') || types.has('integer')) && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value))
    return Number(value);
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if (types.has('null') && value === 'null') return null;
  if (types.has('object') || types.has('array')) {
    try {
      const json: unknown = JSON.parse(value);
      if (types.has(Array.isArray(json) ? 'array' : typeof json) && json !== null) return json;
    } catch {
      // a plain text
    }
  }
  return value;
}

/** Arguments of the call, in the types of the tool's schema; what does not fit stays a text. */
export function toolArguments(
  query: Readonly<Record<string, readonly string[]>>,
  inputSchema: JsonSchema,
): Readonly<Record<string, unknown>> {
  const { properties } = inputSchema as { readonly properties?: Readonly<Record<string, unknown>> };
  return Object.fromEntries(
    Object.entries(query).map(([key, values]) => {
      const schema = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
      const types = typesOf(schema);
      const [first = ''] = values;
      const whole = values.length === 1 ? parsedAs(first, types) : values;
      if (values.length === 1 && (!types.has('array') || Array.isArray(whole))) return [key, whole];
      const items = isSchema(schema) ? (schema as { readonly items?: unknown }).items : undefined;
      return [key, values.map((value) => parsedAs(value, typesOf(items)))];
    }),
  );
}
