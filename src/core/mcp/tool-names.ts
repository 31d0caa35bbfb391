/**
 * Names `server__tool` under which a model sees the tools of MCP servers: letters, digits, `_` and `-`, at most
 * 64 characters, unique, and independent of the order of the tools.
 */
import { utf8 } from '../lib/bytes.ts';

export const maxToolNameLength = 64;
const separator = '__';
const hashLength = 12;

export interface ServerToolName {
  readonly server: string;
  readonly tool: string;
}

const clean = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, '_');

/** Contains no separator and does not end in `_`, so the first separator of a name ends its server. */
const cleanServer = (text: string): string =>
  clean(text).replaceAll(/_{2,}/g, '_').replace(/_$/, '') || 'server';

const plainName = ({ server, tool }: ServerToolName): string =>
  `${cleanServer(server)}${separator}${clean(tool) || 'tool'}`;

const keyOf = ({ server, tool }: ServerToolName): string => JSON.stringify([server, tool]);

export type Sha256Hex = (bytes: Uint8Array) => string;

function hashedName(name: ServerToolName, sha256: Sha256Hex): string {
  const start = plainName(name).slice(0, maxToolNameLength - hashLength - 1);
  return `${start}_${sha256(utf8(keyOf(name))).slice(0, hashLength)}`;
}

/**
 * Names in the order of `tools`. A name that is too long, or that two tools would share, ends in a hash of
 * server and tool. Repeated tools get the same name.
 */
export function mcpToolNames(tools: readonly ServerToolName[], sha256: Sha256Hex): readonly string[] {
  const byKey = new Map(tools.map((tool) => [keyOf(tool), tool]));
  const hashed = new Map<string, string>();
  const hash = (key: string, tool: ServerToolName): unknown => hashed.set(key, hashedName(tool, sha256));
  const owners = new Map<string, string[]>();
  for (const [key, tool] of byKey) {
    const plain = plainName(tool);
    owners.set(plain, [...(owners.get(plain) ?? []), key]);
  }
  for (const [key, tool] of byKey) {
    const plain = plainName(tool);
    if (plain.length > maxToolNameLength || (owners.get(plain)?.length ?? 0) > 1) hash(key, tool);
  }
  // A tool may be called what the hashed name of another is.
  for (const name of hashed.values()) {
    for (const key of owners.get(name) ?? []) {
      const tool = byKey.get(key);
      if (tool) hash(key, tool);
    }
  }
  return tools.map((tool) => hashed.get(keyOf(tool)) ?? plainName(tool));
}
