/** The tools of one call of a patched client: of MCP servers, which are started once, and of the program. */
import { errorText } from '../../contract/errors.ts';
import { isRecord } from '../../contract/is-record.ts';
import { ServerLink } from '../../core/agentd/server-link.ts';
import { toolsOfServers } from '../../core/agentd/server-tools.ts';
import { createSemaphore } from '../../core/lib/semaphore.ts';
import { mcpServerConfigSchema } from '../../core/mcp/server-config.ts';
import type { JsonSchema } from '../../core/models/model-ports.ts';
import type { Clock } from '../../core/ports.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { ConversationLog } from '../conversation-log.ts';
import type { LocalConnector } from '../local-connector.ts';
import type { CodeExecution } from './code-execution.ts';
import type { LocalTool } from './local-tool.ts';

interface ServerOptions {
  /** First part of the names of its tools. */
  readonly name?: string;
  /** Reads the list of tools once, instead of with each call. */
  readonly cacheToolsList?: boolean;
}

/** A program, or an address of Streamable HTTP. */
export type McpServer = ServerOptions &
  (
    | {
        readonly command: string;
        readonly args?: readonly string[];
        readonly env?: Readonly<Record<string, string>>;
        readonly cwd?: string;
      }
    | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  );

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote it. */
  readonly argumentsText: string;
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** Data of the result, if the tool gave some. */
  readonly structured?: unknown;
  /** The code that the call ran. */
  readonly execution?: CodeExecution;
}

export interface CallTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  run(args: Readonly<Record<string, unknown>>, callId: string, signal: AbortSignal): Promise<ToolResult>;
}

/** `false` refuses the call. */
export type ApproveCall = (call: {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}) => boolean | Promise<boolean>;

const mostParallel = 8;

const nameOf = (server: McpServer): string => {
  if (server.name !== undefined) return server.name;
  if ('url' in server) return URL.parse(server.url)?.hostname ?? 'server';
  const source = server.args?.find((arg) => arg.includes('/')) ?? server.command;
  const last = (source.split(/[\\/]/).at(-1) ?? '').replace(/\.[cm]?[jt]s$|\.py$/, '');
  return last.replace(/^(?:mcp-)?server-/, '') || 'server';
};

function localTool({ run, ...rest }: LocalTool): CallTool {
  return {
    ...rest,
    async run(args) {
      const made = await run(args);
      if (typeof made === 'string') return { text: made, isError: false };
      return { text: JSON.stringify(made) ?? '', isError: false, structured: made };
    },
  };
}

export class ToolPool {
  readonly #connector: LocalConnector;
  readonly #links = new Map<string, ServerLink>();

  constructor(connector: LocalConnector) {
    this.#connector = connector;
  }

  /** Rejects if a server cannot be reached, or two tools have one name. */
  async tools(servers: readonly McpServer[], local: readonly LocalTool[]): Promise<readonly CallTool[]> {
    const links = servers.map((server) => this.#link(server));
    const { tools, failed } = await toolsOfServers(links, sha256Hex);
    if (failed.length > 0) throw new Error(`An MCP server is unavailable. ${failed.join(' ')}`);
    const ofServers = tools.map(
      ({ tool }): CallTool => ({
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters,
        async run(args, callId, signal) {
          const context = { agentId: 'ptc', turnId: callId, threadKey: 'ptc', callId, signal };
          const output = await tool.execute(args, { ...context, progress: () => undefined });
          const texts = output.content.map((part) =>
            part.type === 'text' ? part.text : `[${part.mimeType}]`,
          );
          const { details } = output;
          const structured = isRecord(details) ? details.structuredContent : undefined;
          return { text: texts.join('\n'), isError: output.isError === true, structured };
        },
      }),
    );
    const all = [...ofServers, ...local.map(localTool)];
    const twice = all.find(({ name }, index) => all.findIndex((each) => each.name === name) !== index);
    if (twice) throw new Error(`Two tools are called ${twice.name}.`);
    return all;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.close()));
    this.#links.clear();
    await this.#connector.close();
  }

  #link(server: McpServer): ServerLink {
    const { cacheToolsList = false, name: _, ...config } = server;
    const key = JSON.stringify([nameOf(server), config]);
    const parsed = mcpServerConfigSchema.parse('url' in config ? { ...config, oauth: false } : config);
    const entry = { name: nameOf(server), config: parsed, toolFilter: null, allow: [], deny: [] };
    const link = this.#links.get(key) ?? new ServerLink(key, entry, this.#connector.connector);
    this.#links.set(key, link);
    if (!cacheToolsList) link.forgetTools();
    return link;
  }
}

export interface RunCallsDeps {
  readonly tools: readonly CallTool[];
  readonly approve: ApproveCall | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: ConversationLog | null;
}

const failure = (text: string): ToolResult => ({ text, isError: true });

async function runCall(call: ToolCall, deps: RunCallsDeps): Promise<ToolResult> {
  const tool = deps.tools.find(({ name }) => name === call.name);
  if (!tool) return failure(`There is no tool named ${call.name}.`);
  let args: unknown;
  try {
    args = JSON.parse(call.argumentsText || '{}');
  } catch {
    return failure('The arguments are not valid JSON.');
  }
  if (!isRecord(args)) return failure('The arguments are no JSON object.');
  try {
    if (deps.approve && !(await deps.approve({ name: call.name, args })))
      return failure('The call was refused.');
    return await tool.run(args, call.id, deps.signal);
  } catch (error) {
    return failure(errorText(error));
  }
}

/** Approves, runs and logs one call. A failure is a result. */
export async function runLogged(call: ToolCall, deps: RunCallsDeps): Promise<ToolResult> {
  const { log, clock } = deps;
  const { id, name } = call;
  log?.({ type: 'tool_call', tool_type: 'function', id, name, input: call.argumentsText });
  const start = clock.monotonic();
  const result = await runCall(call, deps);
  log?.({
    type: 'tool_result',
    tool_type: 'function',
    id,
    name,
    output: result.text,
    is_error: result.isError,
    duration_ms: Math.round(clock.monotonic() - start),
  });
  return result;
}

/** In the order of the calls, with failures marked in the text. */
export async function runCalls(
  calls: readonly ToolCall[],
  deps: RunCallsDeps,
): Promise<readonly ToolResult[]> {
  const slot = createSemaphore(mostParallel);
  return Promise.all(
    calls.map((call) =>
      slot(async () => {
        const result = await runLogged(call, deps);
        return result.isError && !result.execution ? { ...result, text: `Error: ${result.text}` } : result;
      }),
    ),
  );
}
