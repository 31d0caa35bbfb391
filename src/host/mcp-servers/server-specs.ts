import { toVisibleLine, toVisibleText } from '../../contract/visible-text.ts';
import { writeStable } from '../../core/lib/stable-json.ts';
import type { McpServerConfig } from '../../core/mcp/server-config.ts';
import { sha256Hex } from '../../platform/sha256.ts';

export type ServerSource = 'shared' | 'workspace' | 'agent';

/** A configured server. */
export interface ServerSpec {
  /** `shared/NAME` or `AGENT/NAME`. */
  readonly key: string;
  readonly name: string;
  /** `null` for a server of all agents. */
  readonly agentId: string | null;
  readonly source: ServerSource;
  readonly config: McpServerConfig;
  /** Of everything that decides what runs or is reached, with the values of its environment. */
  readonly hash: string;
  /** A program of this computer. */
  readonly isLocal: boolean;
  /** Target of its calls: the host of its address, or the server by its name. */
  readonly reaches: string;
  /** Absolute folder in which a program starts. */
  readonly folder: string;
}

export const serverKey = (agentId: string | null, name: string): string => `${agentId ?? 'shared'}/${name}`;

export function serverSpec(
  at: Pick<ServerSpec, 'name' | 'agentId' | 'source' | 'folder'>,
  config: McpServerConfig,
): ServerSpec {
  const isLocal = config.type === 'stdio';
  return {
    ...at,
    key: serverKey(at.agentId, at.name),
    config,
    hash: sha256Hex(writeStable({ config, folder: at.folder })),
    isLocal,
    reaches: config.type === 'http' ? new URL(config.url).hostname : at.name,
  };
}

/** Quoted as in a shell if it is not a plain word, so that arguments are told apart. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : toVisibleLine(JSON.stringify(text));

/** The exact command line or address, and names of variables or headers; their values may be secret. */
export function launchText({ config, folder }: Pick<ServerSpec, 'config' | 'folder'>): string {
  if (config.type === 'http') {
    const names = Object.keys(config.headers);
    return [config.url, ...(names.length === 0 ? [] : [`Headers: ${names.join(', ')}`])]
      .map(toVisibleText)
      .join('\n');
  }
  const names = Object.keys(config.env);
  return [
    [config.command, ...config.args].map(word).join(' '),
    `Folder: ${config.cwd ?? folder}`,
    ...(names.length === 0 ? [] : [`Environment: ${names.join(', ')}`]),
  ]
    .map(toVisibleText)
    .join('\n');
}
