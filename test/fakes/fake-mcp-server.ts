/** MCP servers in memory: tools, resources and subscriptions, without a protocol. */
import { textError } from '../../src/contract/errors.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import type {
  McpConnection,
  McpConnector,
  McpHandlers,
  McpToolDefinition,
  McpToolResult,
} from '../../src/core/mcp/mcp-ports.ts';

type Args = Readonly<Record<string, unknown>>;

export interface FakeTool extends Partial<McpToolDefinition> {
  readonly name: string;
  run(args: Args): McpToolResult | Promise<McpToolResult>;
}

export const textResult = (text: string, isError = false): McpToolResult => ({
  content: [{ type: 'text', text }],
  isError,
});

const gone = (): Result<never> => err(textError('unavailable', 'The server is gone.'));

export class FakeMcpServer {
  readonly tools: FakeTool[];
  readonly resources = new Map<string, string>();
  readonly subscribed = new Set<string>();
  readonly calls: { readonly name: string; readonly args: Args }[] = [];
  canSubscribe = true;
  isReachable = true;
  connects = 0;
  open = 0;
  #handlers: McpHandlers | null = null;

  constructor(...tools: readonly FakeTool[]) {
    this.tools = [...tools];
  }

  /** Changes the resource, and tells those who subscribed. */
  change(uri: string, text: string): void {
    this.resources.set(uri, text);
    if (this.subscribed.has(uri)) this.#handlers?.onEvent({ kind: 'resourceUpdated', uri });
  }

  /** The connection is lost, with its subscriptions. */
  lose(): void {
    this.subscribed.clear();
    this.open = 0;
    const handlers = this.#handlers;
    this.#handlers = null;
    handlers?.onEvent({ kind: 'closed', reason: { by: 'server', exitCode: 1, signal: null } });
  }

  connect(handlers: McpHandlers): Result<McpConnection> {
    this.connects += 1;
    if (!this.isReachable) return gone();
    this.open += 1;
    this.#handlers = handlers;
    return ok(this.#connection(handlers));
  }

  #connection(handlers: McpHandlers): McpConnection {
    const isOpen = (): boolean => this.#handlers === handlers;
    const guarded = async <T>(work: () => T | Promise<T>): Promise<Result<Awaited<T>>> =>
      isOpen() ? ok(await work()) : gone();
    const nothing = async (): Promise<Result<never>> => err(textError('unsupported', 'Not in the fake.'));
    return {
      era: 'legacy',
      protocolVersion: '2025-11-25',
      serverInfo: null,
      capabilities: {
        tools: this.tools.length > 0,
        resources: true,
        subscribe: this.canSubscribe,
        prompts: false,
        completions: false,
        logging: false,
      },
      instructions: null,
      tools: () =>
        guarded(() =>
          this.tools.map(({ run: _, ...tool }) => ({ inputSchema: { type: 'object' }, ...tool })),
        ),
      callTool: (name, args) =>
        guarded(async () => {
          this.calls.push({ name, args });
          const tool = this.tools.find((each) => each.name === name);
          return tool ? tool.run(args) : textResult(`no tool ${name}`, true);
        }),
      readResource: async (uri) => {
        const text = this.resources.get(uri);
        if (!isOpen()) return gone();
        return text === undefined ? err(textError('not_found', 'no such resource')) : ok([{ uri, text }]);
      },
      subscribe: (uri) => guarded(() => void this.subscribed.add(uri)),
      unsubscribe: (uri) => guarded(() => void this.subscribed.delete(uri)),
      resources: () => guarded(() => [...this.resources.keys()].map((uri) => ({ uri, name: uri }))),
      resourceTemplates: () => guarded(() => []),
      prompts: () => guarded(() => []),
      getPrompt: nothing,
      complete: nothing,
      rootsChanged: async () => ok(undefined),
      logTail: () => '',
      close: async () => {
        if (!isOpen()) return;
        this.#handlers = null;
        this.open -= 1;
        handlers.onEvent({ kind: 'closed', reason: { by: 'client' } });
      },
    };
  }
}

/** Servers by the command of their configuration. */
export const fakeConnector = (servers: Readonly<Record<string, FakeMcpServer>>): McpConnector => ({
  async connect({ config }, handlers) {
    const server = config.type === 'stdio' ? servers[config.command] : undefined;
    return server ? server.connect(handlers) : gone();
  },
});
