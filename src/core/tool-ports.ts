/**
 * What the outside must supply so that an agent can act: tools, the one gate before every effect, the journal that
 * makes effects survive a crash, files below fixed roots, processes, and the team chat.
 */
import type { Result } from '../contract/result.ts';
import type { JsonSchema } from './model-ports.ts';
import type { TranscriptMessage, UserContent } from './models/messages.ts';
import type { Spent } from './models/usage.ts';
import type { Source } from './policy/source.ts';

// --- tools -------------------------------------------------------------------------------------------------------

export const toolGroups = ['core', 'files', 'puffo', 'memory', 'shell', 'puppy'] as const;
export type ToolGroup = (typeof toolGroups)[number];

export type Risk = 'low' | 'medium' | 'high';

/** What may be done after a crash when nobody knows whether the effect happened. */
export type ReplayPolicy = 'safe' | 'never';

/** What a call would touch, in words a policy can decide on. Paths are absolute and resolved. */
export type Effect =
  | { readonly kind: 'read' | 'write' | 'delete'; readonly path: string }
  | {
      readonly kind: 'run';
      readonly argv: readonly string[];
      readonly cwd: string;
      readonly sandbox: SandboxKind;
    }
  | { readonly kind: 'send'; readonly to: string; readonly sameThread: boolean }
  | { readonly kind: 'network'; readonly host: string };

/** `confined`: parsed, rebuilt, roots checked; `bubblewrap`: an OS sandbox; `none`: the operator's own rights. */
export type SandboxKind = 'confined' | 'bubblewrap' | 'none';

/** Shown to the operator in full. */
export interface CallPreview {
  readonly kind: 'command' | 'diff' | 'text';
  /** E.g. "write hello.md", read after "Guide wants to". */
  readonly title: string;
  readonly body: string;
  /** `body` is only the beginning: nobody can allow it. */
  readonly cut?: true;
  /** Where it would happen: a folder, a room. */
  readonly where: string;
}

/** A tool's own view of one call, made without any effect; asked again right before the call runs. */
export interface Assessment {
  readonly risk: Risk;
  readonly effects: readonly Effect[];
  readonly preview: CallPreview;
  /** The tool itself refuses: no policy, grant or answer changes that. `reason` is a stable word. */
  readonly blocked?: { readonly reason: string; readonly message: string; readonly details?: unknown };
}

export interface ToolCallContext {
  readonly agentId: string;
  readonly turnId: string;
  readonly threadKey: string;
  readonly callId: string;
  /** Aborted with the reason `interrupted` (`TurnAbort`) the turn goes on another time, and makes a safe call once more. */
  readonly signal: AbortSignal;
  /** Words of others are in the turn (T9); absent: nobody looked. */
  readonly tainted?: boolean;
  /** The call is asked about again: this assessment replaces what an earlier one of the same call remembered. */
  readonly anew?: true;
  /** Rooms whose messages may be shown, because everybody who will hear the answer can read them; absent: all. */
  readonly mayRead?: RoomFilter;
  /** A partial result to show; late ones are ignored. */
  progress(partial: ToolOutput): void;
}

/** True if the room may be read for this turn's audience (T9). */
export type RoomFilter = (roomId: string) => Promise<boolean>;

export interface ToolOutput {
  readonly content: readonly UserContent[];
  readonly details?: unknown;
  readonly isError?: boolean;
  /** When all results of a batch say so, the run ends without another request. */
  readonly terminate?: boolean;
  /** The call has begun this run, which has not ended: who can wait for it makes the call again then, for its end. */
  readonly awaits?: string;
  /** Rooms whose messages it shows; beside what the tool reveals anyway (T9). */
  readonly sources?: readonly Source[];
  /** What models were asked for within the call cost; the host's ledger has it already. */
  readonly used?: Spent;
}

export interface Tool {
  readonly name: string;
  readonly group: ToolGroup;
  /** Part of the set that an allow-list of optional tools keeps. */
  readonly core: boolean;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly replay: ReplayPolicy;
  readonly executionMode?: 'parallel' | 'sequential';
  /** ms; after it the call is cut off and reported, whether or not the body heeds the signal. */
  readonly timeoutMs?: number;
  /** Its results are words of others (messages, files from others, web): reading them taints the turn (T9). */
  readonly foreign?: boolean;
  /** Where its results may come from (T9); absent: from what its group holds. Empty: they tell nothing that was kept. */
  readonly reveals?: readonly Source[];
  /** Arguments are validated and frozen. Never throws for bad arguments; it may throw for bugs. */
  assess(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Assessment | Promise<Assessment>;
  execute(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<ToolOutput>;
}

// --- the gate ----------------------------------------------------------------------------------------------------

/** What a message to the turn's own conversation may tell that not everybody there may know (T9). */
export interface HeldBack {
  readonly roomId: string;
  /** Slugs; `null` if nobody can say who reads there. */
  readonly outsiders: readonly string[] | null;
  readonly sources: readonly Source[];
  /** For people: "its files and its notes". */
  readonly what: string;
  /** For people: `@ada-1`, or a room with the number of others in it. */
  readonly who: string;
}

export interface GateCall {
  readonly agentId: string;
  readonly turnId: string;
  readonly threadKey: string;
  readonly callId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly assessment: Assessment;
  /** What the model said it wants this for, if anything. Never a reason to allow. */
  readonly justification: string;
  /** Words of others are in this turn's context. */
  readonly tainted: boolean;
  /** The operator has to agree that this is told there. */
  readonly heldBack?: HeldBack;
  /** For rules about groups; absent: the tool belongs to none that is known. */
  readonly group?: ToolGroup;
  /** Begun before a crash and never ended: the answer it was given then still stands. */
  readonly resumed?: boolean;
}

export type GateDecision =
  | {
      readonly type: 'allow';
      readonly by: 'policy' | 'grant' | 'operator';
      readonly receiptId: string | null;
    }
  | {
      readonly type: 'deny';
      /** For the model and the log, e.g. "The operator denied it: not today". */
      readonly reason: string;
      readonly by: 'policy' | 'tool' | 'operator' | 'expiry' | 'cancelled';
    };

/** False: the call went away meanwhile. */
export type CallReady = () => Promise<boolean>;

/** The single place between "the model wants" and "it happens". Waits for an answer as long as the signal lives. */
export interface ApprovalGate {
  /**
   * `ready` is awaited between an operator's answer and its hand-over: the call may have to wait before it can go on.
   * The answer to one that went away is kept for when it comes back.
   */
  check(call: GateCall, signal: AbortSignal, ready?: CallReady): Promise<GateDecision>;
}

// --- what survives a crash ---------------------------------------------------------------------------------------

export interface CallIntent {
  readonly callId: string;
  readonly turnId: string;
  readonly tool: string;
  /** sha256 of the canonical arguments, hex. */
  readonly digest: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly replay: ReplayPolicy;
  /** ms since the epoch. */
  readonly at: number;
}

export interface TranscriptEntry {
  /** Counts up from 1 per thread; gaps are possible. */
  readonly seq: number;
  readonly message: TranscriptMessage;
}

/**
 * Transcripts of one agent, by thread; every write is durable when it returns. Throws `StoreError` as `AccountStore`
 * does. Intent before an effect, result after it.
 */
export interface TranscriptStore {
  /** From the newest compaction on, oldest first. */
  load(threadKey: string): readonly TranscriptEntry[];
  append(threadKey: string, messages: readonly TranscriptMessage[]): void;
  /** What comes before is kept for people and no longer loaded; `summary` opens the loaded part from now on. */
  compact(threadKey: string, keepFromSeq: number, summary: TranscriptMessage): void;
  callStarted(threadKey: string, intent: CallIntent): void;
  /** With the result message, in one transaction. */
  callEnded(threadKey: string, callId: string, result: TranscriptMessage): void;
  /** Calls that were begun and never ended: their outcome is unknown. */
  openCalls(threadKey: string): readonly CallIntent[];
}

// --- files below roots -------------------------------------------------------------------------------------------

export interface FileRoots {
  /** Absolute. */
  readonly cwd: string;
  readonly readable: readonly string[];
  /** Also readable. */
  readonly writable: readonly string[];
}

export interface FileEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** ms since the epoch. */
  readonly modifiedAt: number;
}

/**
 * Files of an agent and nothing else (T14): a path is resolved, checked against the roots, and then opened component
 * by component without following links, so that a swap between check and use finds nothing outside. Only regular
 * files and folders; hard links to outside are refused where a file has more than one name. Errors: `forbidden`
 * outside the roots (`where`: the path asked for), `not_found`, `conflict`, `too_large`, `unsupported` (FIFO, device),
 * `disk_full`, `io_error`, `invalid_input` (NUL, too long).
 */
export interface ConfinedFiles {
  readonly roots: FileRoots;
  /**
   * The real path that `path` (absolute or below cwd) means now, checked for this access; parents must exist. `entry`:
   * to be removed or renamed, so that a link is meant itself.
   */
  resolve(path: string, access: 'read' | 'write' | 'entry'): Result<string>;
  /** At most `maxBytes` from `offset`; `size` is the whole file's. */
  read(
    path: string,
    range: { readonly offset?: number; readonly maxBytes: number },
  ): Promise<Result<{ readonly bytes: Uint8Array; readonly size: number }>>;
  /** Old content or new, never a mixture; durable. `create`: `conflict` when it exists. Makes no folders. */
  write(path: string, content: Uint8Array, how: 'create' | 'replace'): Promise<Result<void>>;
  list(
    path: string,
    limit: number,
  ): Promise<Result<{ readonly entries: readonly FileEntry[]; readonly more: boolean }>>;
  stat(path: string): Promise<Result<FileEntry>>;
  /** `private`: what is made is closed to others, whatever the folder around it is. */
  makeFolder(path: string, parents: boolean, access?: 'private'): Promise<Result<void>>;
  touch(path: string): Promise<Result<void>>;
  copy(from: string, to: string, recursive: boolean): Promise<Result<void>>;
  move(from: string, to: string): Promise<Result<void>>;
  remove(path: string, recursive: boolean): Promise<Result<void>>;
}

// --- processes ---------------------------------------------------------------------------------------------------

export interface ProcessRequest {
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes kept per stream; the rest is counted and thrown away while reading. */
  readonly maxStdoutBytes: number;
  readonly maxStderrBytes: number;
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
}

export interface ProcessOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly durationMs: number;
}

/** Starts programs without a shell in a process group of their own, and leaves none of them behind. */
export interface ProcessPort {
  run(request: ProcessRequest, signal: AbortSignal): Promise<Result<ProcessOutcome>>;
}

/** What a sandboxed program sees beside the system's programs: these folders, absolute, and nothing else of the disk. */
export interface SandboxView {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly network: boolean;
}

/** `ProcessPort` with an OS sandbox around every program; there is none where the system has no such thing. */
export interface SandboxPort {
  readonly kind: Exclude<SandboxKind, 'confined' | 'none'>;
  run(request: ProcessRequest, view: SandboxView, signal: AbortSignal): Promise<Result<ProcessOutcome>>;
}
