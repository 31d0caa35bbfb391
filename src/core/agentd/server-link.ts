/**
 * One MCP server of an agent: connected on demand, shared by calls and watches, connected again after a loss.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { McpConnection, McpConnector, McpEvent, McpToolDefinition } from '../mcp/mcp-ports.ts';
import type { AgentServer } from './agents-file.ts';

type Listener = (event: McpEvent) => void;

export class ServerLink {
  readonly server: AgentServer;
  readonly #id: string;
  readonly #connector: McpConnector;
  readonly #listeners = new Set<Listener>();
  readonly #ending = new AbortController();
  #connecting: Promise<Result<McpConnection>> | null = null;
  #tools: Promise<Result<readonly McpToolDefinition[]>> | null = null;

  constructor(agent: string, server: AgentServer, connector: McpConnector) {
    this.server = server;
    this.#id = `${agent}/${server.name}`;
    this.#connector = connector;
  }

  /** Fails while the server cannot be reached; the next call tries again. */
  connection(): Promise<Result<McpConnection>> {
    if (this.#ending.signal.aborted) return Promise.resolve(err(fail('cancelled', 'agentd.ended')));
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  /** All tools of the server, read again after a change. */
  async tools(): Promise<Result<readonly McpToolDefinition[]>> {
    const connection = await this.connection();
    if (!connection.ok) return connection;
    if (!connection.value.capabilities.tools) return ok([]);
    this.#tools ??= connection.value.tools({ signal: this.#ending.signal });
    const tools = await this.#tools;
    if (!tools.ok) this.#tools = null;
    return tools;
  }

  /** The next `tools` reads them again. */
  forgetTools(): void {
    this.#tools = null;
  }

  /** Returns the end of the subscription. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    const connected = await this.#connecting;
    if (connected?.ok) await connected.value.close();
  }

  async #connect(): Promise<Result<McpConnection>> {
    const target = { id: this.#id, config: this.server.config };
    const handlers = { onEvent: (event: McpEvent) => this.#onEvent(event) };
    const connected = await this.#connector.connect(target, handlers, { signal: this.#ending.signal });
    if (!connected.ok) this.#forget();
    return connected;
  }

  #forget(): void {
    this.#connecting = null;
    this.#tools = null;
  }

  #onEvent(event: McpEvent): void {
    if (event.kind === 'closed') this.#forget();
    if (event.kind === 'toolsChanged') this.#tools = null;
    for (const listener of [...this.#listeners]) listener(event);
  }
}
