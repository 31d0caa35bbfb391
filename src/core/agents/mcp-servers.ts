/**
 * Reads and edits `.mcp.json` in the format of other MCP clients: one entry at a time, with everything else
 * preserved.
 */
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { jsonAs } from '../lib/json-as.ts';

export interface McpServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const fileSchema = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()).default({}) });
export type McpFile = z.output<typeof fileSchema>;

const shownSchema = z.object({ command: z.string(), args: z.array(z.string()).optional() });

/** `text`: `null` if the file does not exist. */
export function readMcpFile(text: string | null): Result<McpFile> {
  if (text === null || text.trim() === '') return ok({ mcpServers: {} });
  const parsed = jsonAs(fileSchema, text);
  if (parsed) return ok(parsed);
  return err(fail('corrupt', 'agents.mcpFileUnreadable', {}, { help: 'agents.repairMcpFile' }));
}

export const hasServer = ({ mcpServers }: McpFile, name: string): boolean => Object.hasOwn(mcpServers, name);

/** `entry`: `null` to remove it. */
export const withServer = (file: McpFile, name: string, entry: McpServerEntry | null): string =>
  withEntry(file, name, entry && plainEntry(entry));

/** Like `withServer`, for an entry of any kind. */
export function withEntry(file: McpFile, name: string, entry: object | null): string {
  const others = Object.entries(file.mcpServers).filter(([each]) => each !== name);
  const added = entry === null ? [] : [[name, entry]];
  return `${JSON.stringify({ ...file, mcpServers: Object.fromEntries([...others, ...added]) }, null, 2)}\n`;
}

const plainEntry = ({ command, args, env }: McpServerEntry) => ({
  command,
  ...(args.length === 0 ? {} : { args }),
  ...(Object.keys(env).length === 0 ? {} : { env }),
});

/** An entry of `mcp_servers` in agent.yml, also in the words of agentd. */
export const yamlServerSchema = z.looseObject({
  name: z.string().max(100).optional(),
  command: z.string().max(1_000).optional(),
  arguments: z.array(z.string()).optional(),
  /** `NAME=value`. */
  env_vars: z.array(z.string()).optional(),
});
export type YamlServer = z.output<typeof yamlServerSchema>;

const programName = (command = ''): string => command.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** The entries by name, as `.mcp.json` has them. A server without a name has that of its program. */
export function yamlServers(list: readonly YamlServer[]): Readonly<Record<string, unknown>> {
  const entries = list.map(({ name, arguments: args, env_vars: env, ...entry }) => [
    name ?? (programName(entry.command) || 'server'),
    {
      ...entry,
      ...(args === undefined ? {} : { args }),
      ...(env === undefined ? {} : { env: Object.fromEntries(env.map(pairOf)) }),
    },
  ]);
  return Object.fromEntries(entries);
}

/** Start command of a server, without its environment, which may contain keys. */
export function commandLineOf(entry: unknown): string {
  const shown = shownSchema.safeParse(entry);
  return shown.success
    ? [shown.data.command, ...(shown.data.args ?? [])].join(' ')
    : 'another kind of server';
}

/**
 * A path that is valid on one computer only: a home, a disk, a folder of installed programs. It breaks in a
 * container, and when the agent is exported.
 */
const hostPath =
  /^(~|\$\{?HOME\b|%[A-Za-z]+%|[A-Za-z]:[\\/]|\\\\|\/(Users|home|root|opt|Applications|Library|System|Volumes|private|mnt|media|srv|var|tmp)(\/|$))/;
const inContainer = /^\/home\/agent(\/|$)/;

export const looksLikeHost = ({ command, args }: Pick<McpServerEntry, 'command' | 'args'>): boolean =>
  command.includes('\\') ||
  [command, ...args.map((arg) => arg.replace(/^--?[\w-]+=/, ''))].some(
    (word) => hostPath.test(word) && !inContainer.test(word),
  );
