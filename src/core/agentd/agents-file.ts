/**
 * The file of `kennel agentd`: agents with their MCP servers and the resources that they react to. Keys of the
 * reference are read as they are; unknown keys are errors with their line. `${NAME}` in a value is replaced by
 * a variable of the environment.
 */
import { z } from 'zod';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { orDefault } from '../lib/config-fields.ts';
import { fieldError } from '../lib/field-error.ts';
import { readYaml, type YamlDocument, type YamlPath } from '../lib/yaml-document.ts';
import { type McpServerConfig, mcpServerConfigSchema } from '../mcp/server-config.ts';
import { readWatchedUri } from './watched-uri.ts';

const text = z.string('must be a text');
const name = text.regex(/^[\p{L}\p{N}_.-]{1,64}$/u, 'must be letters, digits, "_", "-" or "."');
const texts = (most: number) => orDefault(z.array(text.max(4_000)).max(most), []);
const globs = () => orDefault(z.array(text.min(1).max(200)).max(200), []);

const serverSchema = z
  .strictObject({
    /** A server without `url` is a program, whatever its type: the reference does not read the type. */
    type: text.nullish(),
    name: name.nullish(),
    command: text.min(1, 'must not be empty').nullish(),
    arguments: texts(100),
    env_vars: z
      .array(text.regex(/^[A-Za-z_][A-Za-z0-9_]*=/, 'must be NAME=value'))
      .max(100)
      .nullish(),
    tool_filter: z.array(text.min(1).max(200)).max(200).nullish(),
    cwd: text.nullish(),
    url: text.nullish(),
    headers: z.record(text, text).nullish(),
    /** Tools that run without a question, as names or globs. */
    allow: globs(),
    /** Tools that never run. */
    deny: globs(),
  })
  .refine((server) => (server.command == null) !== (server.url == null), {
    message: 'needs either a command or a url',
    path: ['command'],
  });

const agentSchema = z.strictObject({
  name,
  model: text.min(1, 'must not be empty'),
  system_prompt: orDefault(text.max(100_000), ''),
  mcp_servers: orDefault(z.array(serverSchema).max(50), []),
  subscriptions: texts(100),
  /** Prompt of a turn about a change; `{{uri}}` is replaced. */
  on_update: text.max(20_000).nullish(),
});

const fileSchema = z.strictObject({
  agents: z.array(agentSchema, 'must be a list').min(1, 'must name an agent').max(50),
});

export interface AgentServer {
  /** Unique in its agent; the first part of the names of its tools. */
  readonly name: string;
  readonly config: McpServerConfig;
  /** Names or globs of the tools that the agent has; `null` for all. */
  readonly toolFilter: readonly string[] | null;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface ReactingAgent {
  readonly name: string;
  readonly model: string;
  readonly systemPrompt: string;
  readonly servers: readonly AgentServer[];
  readonly subscriptions: readonly string[];
  readonly onUpdate: string | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

const variable = /\$(\$\{[^}]*\}|\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})/g;

/** `$${NAME}` stays `${NAME}`; `${NAME:-value}` has a default. */
function expand(value: string, env: Variables): { readonly text: string; readonly missing: string | null } {
  let missing: string | null = null;
  const expanded = value.replaceAll(variable, (_all, inner: string, key?: string, fallback?: string) => {
    if (key === undefined) return inner;
    const found = env[key];
    if (found !== undefined && (found !== '' || fallback === undefined)) return found;
    if (fallback !== undefined) return fallback;
    missing ??= key;
    return '';
  });
  return { text: expanded, missing };
}

class MissingVariable extends Error {
  readonly key: string;
  readonly path: YamlPath;

  constructor(key: string, path: YamlPath) {
    super(key);
    this.key = key;
    this.path = path;
  }
}

function expandAll(value: unknown, env: Variables, path: YamlPath): unknown {
  if (typeof value === 'string') {
    const { text: expanded, missing } = expand(value, env);
    if (missing !== null) throw new MissingVariable(missing, path);
    return expanded;
  }
  if (Array.isArray(value)) return value.map((member, index) => expandAll(member, env, [...path, index]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, expandAll(member, env, [...path, key])]),
  );
}

/** Like the reference: the last part of the first argument with a `/`, without `server-`; else the command. */
function nameFrom({ command, url, arguments: args }: z.output<typeof serverSchema>): string {
  const source = args.find((arg) => arg.includes('/')) ?? command ?? URL.parse(url ?? '')?.hostname ?? '';
  const last = source.split(/[\\/]/).at(-1) ?? '';
  const base = last.replace(/@[^@]*$/, '').replace(/\.[cm]?[jt]s$|\.py$/, '');
  return base.replace(/^(?:mcp-)?server-/, '').replaceAll(/[^A-Za-z0-9_]/g, '_') || 'server';
}

function configOf(server: z.output<typeof serverSchema>): unknown {
  // Authorization by a browser needs the vault of a host; a token comes from a variable.
  if (server.url != null)
    return { type: 'http', url: server.url, headers: server.headers ?? {}, oauth: false };
  const env = Object.fromEntries(
    (server.env_vars ?? []).map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
  const cwd = server.cwd == null ? {} : { cwd: server.cwd };
  return { type: 'stdio', command: server.command, args: server.arguments, env, ...cwd };
}

const at = (document: YamlDocument, path: YamlPath): { readonly where: string } => ({
  where: `line ${document.lineOf(path)}`,
});

function serversOf(
  servers: readonly z.output<typeof serverSchema>[],
  document: YamlDocument,
  path: YamlPath,
): Result<readonly AgentServer[]> {
  const taken = new Set<string>();
  const read: AgentServer[] = [];
  for (const [index, server] of servers.entries()) {
    const config = mcpServerConfigSchema.safeParse(configOf(server));
    const here = [...path, index];
    if (!config.success) return err(fieldError(config.error, { prefix: here.map(String), document }));
    const wanted = server.name ?? nameFrom(server);
    let unique = wanted;
    for (let n = 2; taken.has(unique) && server.name == null; n += 1) unique = `${wanted}_${n}`;
    if (taken.has(unique)) {
      const message = say('agentd.serverTwice', { name: unique });
      return err(appError('invalid_input', message, at(document, here)));
    }
    taken.add(unique);
    const { tool_filter: toolFilter, allow, deny } = server;
    read.push({ name: unique, config: config.data, toolFilter: toolFilter ?? null, allow, deny });
  }
  return ok(read);
}

function agentOf(
  agent: z.output<typeof agentSchema>,
  document: YamlDocument,
  path: YamlPath,
): Result<ReactingAgent> {
  const servers = serversOf(agent.mcp_servers, document, [...path, 'mcp_servers']);
  if (!servers.ok) return servers;
  for (const [index, uri] of agent.subscriptions.entries()) {
    const here = at(document, [...path, 'subscriptions', index]);
    if (!readWatchedUri(uri)) return err(appError('invalid_input', say('agentd.badUri', { uri }), here));
    if (agent.mcp_servers.length === 0)
      return err(appError('invalid_input', say('agentd.noServerFor', { uri }), here));
  }
  return ok({
    name: agent.name,
    model: agent.model,
    systemPrompt: agent.system_prompt,
    servers: servers.value,
    subscriptions: [...new Set(agent.subscriptions)],
    onUpdate: agent.on_update ?? null,
  });
}

/** Errors are `invalid_input` and name their line. */
export function readAgentsFile(source: string, env: Variables): Result<readonly ReactingAgent[]> {
  const yaml = readYaml(source);
  if (!yaml.ok) return yaml;
  const document = yaml.value;
  let value: unknown;
  try {
    value = expandAll(document.value, env, []);
  } catch (error) {
    if (!(error instanceof MissingVariable)) throw error;
    const { key, path } = error;
    return err(appError('invalid_input', say('agentd.missingVariable', { name: key }), at(document, path)));
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) return err(fieldError(parsed.error, { document }));
  const agents: ReactingAgent[] = [];
  for (const [index, raw] of parsed.data.agents.entries()) {
    const path = ['agents', index];
    const agent = agentOf(raw, document, path);
    if (!agent.ok) return agent;
    if (agents.some((other) => other.name === raw.name)) {
      const message = say('agentd.agentTwice', { name: raw.name });
      return err(appError('invalid_input', message, at(document, [...path, 'name'])));
    }
    agents.push(agent.value);
  }
  return ok(agents);
}
