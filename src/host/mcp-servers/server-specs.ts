import { toVisibleLine } from '../../contract/visible-text.ts';
import { writeStable } from '../../core/lib/stable-json.ts';
import type { McpServerConfig } from '../../core/mcp/server-config.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { ProgramFile } from './program-files.ts';

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
  /** Files of its code that an agent can change, as they are now. */
  readonly files: readonly ProgramFile[];
}

/** Of files that an agent may have written: a name is shown in questions, and told to the model (T9). */
export const serverNamePattern = /^[A-Za-z0-9][\w -]{0,63}$/;

export const serverKey = (agentId: string | null, name: string): string => `${agentId ?? 'shared'}/${name}`;

export function serverSpec(
  at: Pick<ServerSpec, 'name' | 'agentId' | 'source' | 'folder'>,
  config: McpServerConfig,
  files: readonly ProgramFile[] = [],
): ServerSpec {
  const isLocal = config.type === 'stdio';
  const { tool_filter: _, ...runs } = config;
  return {
    ...at,
    key: serverKey(at.agentId, at.name),
    config,
    hash: sha256Hex(
      writeStable({ config: runs, folder: at.folder, ...(files.length === 0 ? {} : { files }) }),
    ),
    isLocal,
    reaches: config.type === 'http' ? new URL(config.url).hostname : at.name,
    files,
  };
}

/** Quoted as in a shell if it is not a plain word, so that arguments are told apart. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : toVisibleLine(JSON.stringify(text));

/** Last words of the names of variables that hold a secret. No program takes code from a variable of such a name. */
const secretName = /(key|token|secret|passw(or)?d|cookie|credentials?)$|(^|_)(pass|pwd|pat|auth)$/i;
const withoutPassword = (value: string): string => value.replaceAll(/:\/\/[^/@\s]+@/g, '://…@');
const mentions = (value: string): boolean => value.includes('${');

/** A name, with its value if that mentions another variable or, of a program, can decide what runs. */
function given(name: string, value: string, isShown: boolean): string {
  return word(mentions(value) || isShown ? `${name}=${withoutPassword(value)}` : name);
}

/** The exact command line or address, and variables or headers; a value that may be secret is left out. */
export function launchText({
  config,
  folder,
  files,
}: Pick<ServerSpec, 'config' | 'folder' | 'files'>): string {
  if (config.type === 'http') {
    const headers = Object.entries(config.headers).map(([name, value]) => given(name, value, false));
    return [config.url, ...(headers.length === 0 ? [] : [`Headers: ${headers.join(', ')}`])]
      .map(toVisibleLine)
      .join('\n');
  }
  const variables = Object.entries(config.env).map(([name, value]) =>
    given(name, value, !secretName.test(name)),
  );
  return [
    [config.command, ...config.args].map(word).join(' '),
    `Folder: ${config.cwd ?? folder}`,
    ...(variables.length === 0 ? [] : [`Environment: ${variables.join(', ')}`]),
    ...files.map(({ path, sha256 }) => `An agent can change ${word(path)} (now ${sha256.slice(0, 16)})`),
  ]
    .map(toVisibleLine)
    .join('\n');
}
