import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type {
  McpCloseReason,
  McpConnection,
  McpEvent,
  McpProgress,
  McpToolDefinition,
  McpToolResult,
} from '../../core/mcp/mcp-ports.ts';
import { toolPin } from '../../core/mcp/tool-pins.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { OnDemand, type OnDemandState } from './on-demand.ts';
import type { OpenCalls, ServerCaller } from './open-calls.ts';
import type { ServerRecords, ToolPin } from './server-records.ts';

/** A call as the operator sees it afterwards; without arguments and results. */
export interface PastCall {
  readonly tool: string;
  /** `null` for a call by the operator. */
  readonly agentId: string | null;
  /** ms since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly outcome: 'ok' | 'error' | 'failed';
}

/** A tool whose definition is not the accepted one. */
export interface ChangedTool {
  readonly name: string;
  /** `null` if the tool is new. */
  readonly before: McpToolDefinition | null;
  readonly after: McpToolDefinition;
}

export interface LiveServerDeps {
  readonly key: string;
  readonly ports: {
    readonly clock: Clock;
    readonly random: Pick<Random, 'fraction'>;
    readonly log: Log;
  };
  readonly records: ServerRecords;
  readonly open: OpenCalls;
  connect(signal: AbortSignal, onEvent: (event: McpEvent) => void): Promise<Result<McpConnection>>;
  /** Definitions differ from the accepted ones. */
  onToolsChanged(): void;
}

/** ms without a call until a server is stopped. */
const idleMs = 10 * 60_000;
const maxCalls = 50;
/** Of all definitions of a server, as JSON. */
const maxDefinitionChars = 512 * 1024;
const maxTools = 500;
const maxLogLines = 200;
const maxLogLine = 1_000;

const pinOf = (definition: McpToolDefinition): ToolPin => ({
  hash: toolPin(definition, sha256Hex),
  definition,
});

/** The supervised part: a connection, and its end. */
interface Open {
  readonly connection: McpConnection;
  readonly closed: Promise<McpCloseReason>;
  close(): Promise<void>;
}

export interface ServerCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** `null` for a call by the operator. */
  readonly caller: ServerCaller | null;
}

/** A server as it runs: its connection, the definitions of its tools against the accepted ones, its last calls. */
export class LiveServer {
  readonly #deps: LiveServerDeps;
  readonly #process: OnDemand<Open>;
  readonly #listeners = new Set<(event: McpEvent) => void>();
  /** Tools of the newest connection; `null` before the first. */
  #listed: readonly McpToolDefinition[] | null = null;
  #calls: readonly PastCall[] = [];
  #log: readonly string[] = [];
  #isListing = false;
  /** The connection that reported a change after the newest list was begun. */
  #toList: McpConnection | null = null;
  /** Error output of the connection before. */
  #tail = '';

  constructor(deps: LiveServerDeps) {
    this.#deps = deps;
    this.#process = new OnDemand({
      ...deps.ports,
      idleMs,
      start: (signal) => this.#start(signal),
    });
  }

  get state(): OnDemandState {
    return this.#process.state;
  }

  get reason(): HostText {
    return this.#process.reason;
  }

  get calls(): readonly PastCall[] {
    return this.#calls;
  }

  /** Last lines of its log since its newest start; untrusted. */
  get log(): readonly string[] {
    const tail = this.#process.running?.connection.logTail() ?? this.#tail;
    return [...this.#log, ...tail.split('\n').filter((line) => line !== '')].slice(-maxLogLines);
  }

  /** Protocol version and era of the running connection, or `null`. */
  get speaks(): Pick<McpConnection, 'era' | 'protocolVersion' | 'serverInfo'> | null {
    return this.#process.running?.connection ?? null;
  }

  /** Names of accepted tools that the newest connection does not offer. */
  isGone(tool: string): boolean {
    return this.#listed !== null && !this.#listed.some(({ name }) => name === tool);
  }

  /** Tools that wait for the operator, by name. */
  changed(): readonly ChangedTool[] {
    const record = this.#deps.records.read(this.#deps.key);
    if (!record.ok || this.#listed === null || record.value.tools === null) return [];
    const pins = new Map(record.value.tools.map((pin) => [pin.definition.name, pin]));
    return this.#listed.flatMap((after) => {
      const pin = pins.get(after.name);
      if (pin?.hash === pinOf(after).hash) return [];
      return [{ name: after.name, before: pin?.definition ?? null, after }];
    });
  }

  #isPinned(definition: McpToolDefinition): boolean {
    const record = this.#deps.records.read(this.#deps.key);
    const hash = pinOf(definition).hash;
    return record.ok && record.value.tools?.some((pin) => pin.hash === hash) === true;
  }

  /** Accepts the definitions as the server has them now. */
  acceptTools(): Result<unknown> {
    if (this.#listed === null) return ok(undefined);
    const tools = this.#listed.map(pinOf);
    return this.#deps.records.change(this.#deps.key, { tools, refusedTools: null });
  }

  /** Starts the server, so that its tools are known. */
  begin(signal: AbortSignal): Promise<Result<void>> {
    return this.#process.use(signal, async () => ok(undefined));
  }

  /** Runs the tool only if its definition is the accepted one. */
  async call(
    { tool, args, caller }: ServerCall,
    signal: AbortSignal,
    onProgress: (progress: McpProgress) => void,
  ): Promise<Result<McpToolResult>> {
    const { clock } = this.#deps.ports;
    const at = clock.now();
    const began = clock.monotonic();
    const result = await this.#process.use(signal, async ({ connection }) => {
      if (this.changed().some(({ name }) => name === tool))
        return err(fail('forbidden', 'mcpServers.toolChanged', { tool }));
      if (this.isGone(tool)) return err(fail('not_found', 'mcpServers.toolGone', { tool }));
      return this.#deps.open.run(caller, () =>
        connection.callTool(tool, args, {
          signal,
          onProgress,
          accepts: (definition) => definition !== null && this.#isPinned(definition),
        }),
      );
    });
    const outcome = !result.ok ? 'failed' : result.value.isError ? 'error' : 'ok';
    this.#calls = [
      { tool, agentId: caller?.agentId ?? null, at, ms: clock.monotonic() - began, outcome } as const,
      ...this.#calls,
    ].slice(0, maxCalls);
    return result;
  }

  /** Returns the end of the subscription. */
  listen(listener: (event: McpEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** For a watch, which belongs to no turn: what the server asks meanwhile is declined. */
  hold<T>(signal: AbortSignal, work: (connection: McpConnection) => Promise<Result<T>>): Promise<Result<T>> {
    return this.#process.use(signal, ({ connection }) => work(connection));
  }

  /** `caller`: the turn that the use is for. */
  use<T>(
    caller: ServerCaller,
    signal: AbortSignal,
    work: (connection: McpConnection) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    return this.#process.use(signal, ({ connection }) => this.#deps.open.run(caller, () => work(connection)));
  }

  /** For a start by the operator: earlier failures do not count. */
  forgive(): void {
    this.#process.forgive();
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  async #start(signal: AbortSignal): Promise<Result<Open>> {
    let connection: McpConnection | null = null;
    let onClosed: (reason: McpCloseReason) => void = () => undefined;
    const closed = new Promise<McpCloseReason>((resolve) => {
      onClosed = resolve;
    });
    this.#log = [];
    const connected = await this.#deps.connect(signal, (event) => {
      if (event.kind === 'closed') {
        this.#tail = connection?.logTail() ?? '';
        onClosed(event.reason);
      }
      if (event.kind === 'log') this.#note(`[${event.level}] ${event.text}`);
      if (event.kind === 'toolsChanged' && connection) void this.#listAgain(connection);
      for (const listener of [...this.#listeners]) listener(event);
    });
    if (!connected.ok) return connected;
    connection = connected.value;
    const listed = await this.#list(connected.value, signal);
    if (!listed.ok) {
      await connected.value.close();
      return listed;
    }
    return ok({ connection: connected.value, closed, close: () => connected.value.close() });
  }

  async #list(connection: McpConnection, signal: AbortSignal): Promise<Result<void>> {
    const { records, key } = this.#deps;
    const listed = connection.capabilities.tools ? await connection.tools({ signal }) : ok([]);
    if (!listed.ok) return listed;
    const tools = listed.value;
    if (tools.length > maxTools || JSON.stringify(tools).length > maxDefinitionChars)
      return err(fail('too_large', 'mcpServers.tooManyTools', { count: tools.length }));
    const record = records.read(key);
    if (!record.ok) return record;
    this.#listed = tools;
    const { resources: hasResources, prompts: hasPrompts } = connection.capabilities;
    const isFirst = record.value.tools === null;
    const isSame = hasResources === record.value.hasResources && hasPrompts === record.value.hasPrompts;
    if (isFirst || !isSame) {
      const pins = isFirst ? { tools: tools.map(pinOf) } : {};
      const noted = records.change(key, { hasResources, hasPrompts, ...pins });
      if (!noted.ok) return noted;
    }
    if (this.changed().length > 0) this.#deps.onToolsChanged();
    return ok(undefined);
  }

  /** One list at a time, however often the server says that it changed; the last notice is followed by a list (T24). */
  async #listAgain(connection: McpConnection): Promise<void> {
    this.#toList = connection;
    if (this.#isListing) return;
    this.#isListing = true;
    for (;;) {
      const next = this.#toList;
      this.#toList = null;
      if (next === null) break;
      await this.#listOnce(next);
    }
    this.#isListing = false;
  }

  async #listOnce(connection: McpConnection): Promise<void> {
    const listed = await this.#list(connection, new AbortController().signal);
    if (!listed.ok) this.#deps.ports.log.warn('mcp_tools_not_listed', { reason: messageOf(listed.error) });
  }

  #note(line: string): void {
    this.#log = [...this.#log, line.slice(0, maxLogLine)].slice(-maxLogLines);
  }
}
