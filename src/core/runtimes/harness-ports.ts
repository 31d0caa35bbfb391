/**
 * Ports of runtimes that run an agent program (a harness): its process, and its access to models. A runtime opens
 * one model relay per process, puts `url` and `token` into the environment of the process, and ends both together.
 */
import type { AgentToolResult, AgentToolView } from '../../contract/agent-tool-methods.ts';
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { SpendGate } from '../models/spend-gate.ts';
import type { RuntimeModels } from './runtime-ports.ts';

// --- process -----------------------------------------------------------------------------------------------------

/** Answers a read of the agent's own messages; `target` is a path of the data service, with its query. */
export type DataReader = (
  method: string,
  target: string,
) => Promise<{ readonly status: number; readonly json: unknown }>;

/** Instead of a sandbox of the operating system: a container of the agent's own, made by Docker or podman. */
export interface HarnessContainer {
  /** As the engine reads it. The image has the program and Node.js. */
  readonly image: string;
  /** For example `1.5g`; empty for no limit. */
  readonly memory: string;
  readonly memoryReservation: string;
  /** Names of hosts, or `*.` and a domain, that the process reaches over TLS although the network is `none`. */
  readonly hosts: readonly string[];
}

/** The sandbox of one process. Paths are absolute; the process sees them and the system's programs only. */
export interface HarnessWall {
  /** Absent: a sandbox of the operating system. */
  readonly container?: HarnessContainer;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Appear empty, also inside a readable or writable folder. */
  readonly hidden: readonly string[];
  /** `none`: only `model` is reachable. */
  readonly network: 'none' | 'open';
  /** With network `none`, `url` leads to `socketPath` also inside. `null` if the process reaches no model. */
  readonly model: Pick<ModelRelay, 'url' | 'socketPath'> | null;
  /** Messages of the agent, for programs in its container. */
  readonly data?: DataReader | null;
}

export interface HarnessCommand {
  readonly agentId: string;
  /**
   * The absolute path of the program, or its name in a container; then its arguments. Must contain no secret:
   * `ps` shows it.
   */
  readonly argv: readonly [string, ...string[]];
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** `null`: the process has the rights of the operator. */
  readonly wall: HarnessWall | null;
}

export interface HarnessExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** `end` was called before the process ended. */
  readonly wasEnded: boolean;
}

export interface HarnessProcess {
  readonly pid: number;
  /**
   * Standard output by lines, for one reader. A line is cut at `maxLineBytes`. Lines need not be JSON. Unread
   * output blocks the process.
   */
  readonly lines: AsyncIterable<string>;
  /** Writes a line to standard input; ignored once the process has ended. */
  write(line: string): void;
  closeInput(): void;
  /** The last 16 KiB of standard error. */
  stderrTail(): string;
  /** Resolves once no process of the tree is left. Never rejects. */
  readonly exited: Promise<HarnessExit>;
  /** Sent to the process group. Behind a wall only the signals that end a process have an effect. */
  signal(name: NodeJS.Signals): void;
  /**
   * Closes the input, asks the process to end, and kills what is left of its tree. Resolves within 2 s, once
   * nothing is left. A repeated call waits for the first.
   */
  end(): Promise<void>;
}

/** Bytes of a line of standard output; images in messages are long. */
export const maxLineBytes = 16 * 1024 * 1024;

export interface HarnessProcessPort {
  /** `unavailable` if the command has a wall and this system offers none; never starts without it. */
  start(command: HarnessCommand): Promise<Result<HarnessProcess>>;
  /**
   * The same command for a terminal of the person, who starts it: it is in no ledger. `unavailable` if this
   * system offers no wall and the command has one.
   */
  commandLine(command: HarnessCommand): Promise<Result<Pick<HarnessCommand, 'argv' | 'env' | 'cwd'>>>;
  /** Whether `start` accepts a wall on this system. */
  hasWalls(): Promise<boolean>;
}

// --- ledger ------------------------------------------------------------------------------------------------------

/** A process of a harness. Stored before its program starts, and removed after its tree has ended. */
export interface HarnessRecord {
  readonly id: string;
  readonly agentId: string;
  /** File name of the program. */
  readonly program: string;
  /** Also the id of its process group. */
  readonly pid: number;
  /** Start time of the process with the id of the boot, so that a reused pid differs. */
  readonly started: string;
  /** In the environment of each process of the tree. */
  readonly marker: string;
  readonly hasWall: boolean;
  /** Name of its container, in which the program runs; `pid` is then the process that talks to it. */
  readonly container: string | null;
  /** ms since the epoch. */
  readonly at: number;
}

export interface HarnessLedger {
  /** Durable when it returns. */
  add(record: HarnessRecord): Result<void>;
  settle(id: string): void;
}

// --- model -------------------------------------------------------------------------------------------------------

export type ModelFormat = 'anthropic-messages' | 'openai-chat' | 'openai-responses' | 'gemini';

/** The turn that pays for a request. */
export interface RelayTurn {
  readonly turnId: string;
  readonly threadKey: string;
  /** The budget refused a request. Programs report it in their own words, so the turn keeps the reason. */
  onRefused(error: AppError): void;
  /** The server accepts no request for longer than `longPauseMs`, so the program should not wait for it. */
  onPaused(inMs: number): void;
}

/** The tools of the host for the running turn of a program, each call behind the approval gate. */
export interface HostTools {
  list(): Promise<Result<{ readonly tools: readonly AgentToolView[] }>>;
  call(call: {
    readonly callId: string;
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
  }): Promise<Result<AgentToolResult>>;
  /** The program takes no result of this call any more. */
  cancel(callId: string): void;
}

export interface RelaySession {
  readonly agentId: string;
  /** Formats that the harness may send. */
  readonly formats: readonly ModelFormat[];
  readonly spend: SpendGate;
  /** The model of the agent, with the key, which stays in the host. */
  readonly models: Pick<RuntimeModels, 'choose' | 'gate'>;
  /** `null` between turns, when requests are refused. */
  turn(): RelayTurn | null;
  /** Served to the program as an MCP server at the path `/mcp`; `null` between turns. */
  tools(): HostTools | null;
}

/** Access of one process to its agent's model, paid from the agent's budget, and to the tools of the host. */
export interface ModelRelay {
  /** Base URL on loopback, without a path: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The same access as a Unix socket, for a wall or container. */
  readonly socketPath: string;
  /** To be sent as API key or bearer token; valid until `close`. */
  readonly token: string;
  close(): Promise<void>;
}

export interface ModelRelayPort {
  open(session: RelaySession): Promise<Result<ModelRelay>>;
}
