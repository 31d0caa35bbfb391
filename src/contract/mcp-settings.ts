/** MCP servers in the settings of other programs, and in the snippets of READMEs. */
import { isRecord } from './is-record.ts';

export interface FoundServer {
  /** A name that Kennel accepts, made from the one of the settings. */
  readonly name: string;
  /** As found; the host checks it. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** Values of variables or headers that go to the vault. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface FoundServers {
  readonly servers: readonly FoundServer[];
  /** Number of entries of a kind that Kennel cannot use. */
  readonly skipped: number;
}

/** Removes comments and trailing commas outside of texts, which VS Code allows. */
const plainJson = (text: string): string =>
  text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted?: string) => quoted ?? '')
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, quoted?: string) => quoted ?? '');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value that only names a variable is none to hide. */
const isSecret = (value: string): boolean => value !== '' && !/^(Bearer )?\$\{[^}]*\}$/.test(value);

const textsIn = (value: unknown): readonly (readonly [string, string])[] =>
  isRecord(value)
    ? Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    : [];

const isEntry = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && (typeof value.command === 'string' || typeof value.url === 'string');

/** For example `Some Server` becomes `some-server`; empty if nothing is left. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '');

/** `null` for an entry of a kind that Kennel cannot use. */
function foundServer([name, entry]: readonly [string, unknown]): FoundServer | null {
  const plain = plainName(name);
  if (!isEntry(entry) || entry.type === 'sse' || plain === '') return null;
  const values = [...textsIn(entry.env), ...textsIn(entry.headers)];
  return { name: plain, entry, secrets: Object.fromEntries(values.filter(([, value]) => isSecret(value))) };
}

/** Name for an entry without one: the last part of its package or address. */
function nameFor(entry: Readonly<Record<string, unknown>>): string {
  if (typeof entry.url === 'string') return URL.parse(entry.url)?.hostname ?? '';
  const args = Array.isArray(entry.args) ? entry.args : [];
  const words = [entry.command, ...args].filter((word) => typeof word === 'string');
  const last = words.findLast((word) => /^[@a-z]/i.test(word)) ?? '';
  return last.split('/').at(-1) ?? '';
}

function entriesOf(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { mcpServers, servers } = json;
  if (isRecord(mcpServers)) return mcpServers;
  if (isRecord(servers)) return servers;
  if (isEntry(json)) return { [nameFor(json)]: json };
  const isListOfEntries = Object.values(json).some(isEntry);
  return isListOfEntries ? json : {};
}

/** `null` if the text is not JSON with an object; comments and a missing outer pair of braces are allowed. */
export function readServerSettings(text: string): FoundServers | null {
  const plain = plainJson(text).trim().replace(/,$/, '');
  const json = parsed(plain) ?? parsed(`{${plain}}`);
  if (!isRecord(json)) return null;
  const all = Object.entries(entriesOf(json)).map(foundServer);
  const servers = all.filter((one) => one !== null);
  return { servers, skipped: all.length - servers.length };
}
