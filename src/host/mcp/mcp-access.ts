import { fail } from '../../contract/fail.ts';
import type { HostApi } from '../../contract/host-api.ts';
import type { Principal } from '../../contract/method-row.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { McpDoor } from '../../services/mcp/mcp-socket.ts';
import type { OutsideCalls } from '../../services/mcp/puffo-server.ts';
import { AgentTokens } from '../agents/agent-tokens.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Layout } from '../layout.ts';
import { choosePlace } from '../socket-path.ts';
import { RunningCalls } from './running-calls.ts';

/** Access for a program that acts as one agent. */
export interface McpWay {
  /** Socket path, or empty for HTTP. */
  readonly socket: string;
  /** HTTP address, or empty for a socket. */
  readonly url: string;
  readonly token: string;
}

/**
 * MCP servers for programs that act as an agent. Each one opens on the first request for access. A token
 * gives access to one agent's tools and is valid until the host stops.
 */
export interface McpAccess {
  /** Incoming calls go through `call`. */
  begin(call: HostApi['call']): void;
  access(agentId: string, http: boolean): Promise<Result<McpWay>>;
  readonly running: RunningCalls;
  readonly stopped: AbortSignal;
  stop(): Promise<void>;
}

export interface McpAccessDeps {
  readonly layout: Pick<Layout, 'mcpSocket' | 'home'>;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly addSecret: HostPorts['addSecret'];
}

export function createMcpAccess(deps: McpAccessDeps): McpAccess {
  return new OneMcpAccess(deps);
}

type Kind = 'socket' | 'http';

class OneMcpAccess implements McpAccess {
  readonly running = new RunningCalls();
  readonly #deps: McpAccessDeps;
  readonly #tokens: AgentTokens;
  readonly #doors = new Map<Kind, McpDoor>();
  readonly #stop = new AbortController();
  #call: HostApi['call'] | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: McpAccessDeps) {
    this.#deps = deps;
    this.#tokens = new AgentTokens(deps.addSecret);
  }

  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  begin(call: HostApi['call']): void {
    this.#call = call;
  }

  access(agentId: string, http: boolean): Promise<Result<McpWay>> {
    const turn = this.#last.then(() => this.#access(agentId, http));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#last;
    for (const door of this.#doors.values()) await door.close();
    this.#doors.clear();
    this.#tokens.clear();
  }

  async #access(agentId: string, http: boolean): Promise<Result<McpWay>> {
    const { layout } = this.#deps;
    const call = this.#call;
    if (!call || this.#stop.signal.aborted) return err(notRunning);
    const path = http ? ok('') : choosePlace(layout.mcpSocket, layout.home, 'mcp');
    if (!path.ok) return path;
    const kind: Kind = http ? 'http' : 'socket';
    const door = this.#doors.get(kind) ?? (await this.#open(kind, path.value, call));
    if ('ok' in door) return door;
    this.#doors.set(kind, door);
    return ok({ socket: path.value, url: door.url, token: this.#tokens.of(agentId) });
  }

  async #open(kind: Kind, path: string, call: HostApi['call']) {
    const { version, clock, log } = this.#deps;
    // Loaded on demand to keep startup fast.
    const [{ agentOf }, { openMcpSocket }, { openMcpHttp }] = await Promise.all([
      import('../../services/data-service/data-app.ts'),
      import('../../services/mcp/mcp-socket.ts'),
      import('../../services/mcp/mcp-http.ts'),
    ]);
    const options = {
      version,
      clock,
      log,
      agentOf: (authorization: string) => agentOf(this.#tokens.all(), authorization),
      toolsOf: (agentId: string) => throughDispatch(call, { kind: 'agent', id: agentId }),
    };
    const opened = kind === 'http' ? await openMcpHttp(options) : await openMcpSocket(path, options);
    return opened.ok ? opened.value : opened;
  }
}

/** The same dispatch, with its checks of callers and schemas, as for every other client. */
function throughDispatch(call: HostApi['call'], principal: Principal): OutsideCalls {
  return {
    list: () => call(principal, 'agentTools.list', {}) as ReturnType<OutsideCalls['list']>,
    call: (one) => call(principal, 'agentTools.call', one) as ReturnType<OutsideCalls['call']>,
    cancel: (callId) => void call(principal, 'agentTools.cancel', { callId }),
  };
}

const notRunning = fail('unavailable', 'programs.agentsUnavailable', {}, { help: 'programs.startKennel' });
