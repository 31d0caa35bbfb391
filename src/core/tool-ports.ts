/**
 * Ports of an agent's actions: tools, the approval gate before every effect, the crash-safe journal, confined
 * files, processes, and the team chat.
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

/** Whether a call may be repeated after a crash if its outcome is unknown. */
export type ReplayPolicy = 'safe' | 'never';

/** Effect that a call would have, for policy decisions. Paths are absolute and resolved. */
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

/**
 * `confined`: parsed, rebuilt, roots checked; `bubblewrap`: an OS sandbox; `none`: the operator's own rights.
 */
export type SandboxKind = 'confined' | 'bubblewrap' | 'none';

/** Shown to the operator in full. */
export interface CallPreview {
  readonly kind: 'command' | 'diff' | 'text';
  /** E.g. "write hello.md", read after "Guide wants to". */
  readonly title: string;
  readonly body: string;
  /** `body` is incomplete, so the call cannot be approved. */
  readonly cut?: true;
  /** Location of the effect: a folder, a room. */
  readonly where: string;
}

/** A tool's own assessment of one call, made without any effect; repeated directly before the call runs. */
export interface Assessment {
  readonly risk: Risk;
  readonly effects: readonly Effect[];
  readonly preview: CallPreview;
  /** The tool itself refuses: no policy, grant or answer changes that. `reason` is a stable code. */
  readonly blocked?: { readonly reason: string; readonly message: string; readonly details?: unknown };
}

export interface ToolCallContext {
  readonly agentId: string;
  readonly turnId: string;
  readonly threadKey: string;
  readonly callId: string;
  /** With the abort reason `interrupted` (`TurnAbort`) the turn resumes later and repeats a safe call. */
  readonly signal: AbortSignal;
  /** The turn contains untrusted content (T9); absent if unknown. */
  readonly tainted?: boolean;
  /**
   * The call is asked about again: this assessment replaces data kept from an earlier one of the same call.
   */
  readonly anew?: true;
  /** Rooms whose messages may be shown, because the whole audience can read them; absent for all. */
  readonly mayRead?: RoomFilter;
  /** Partial result to show; late ones are ignored. */
  progress(partial: ToolOutput): void;
}

/** True if the room may be read for this turn's audience (T9). */
export type RoomFilter = (roomId: string) => Promise<boolean>;

export interface ToolOutput {
  readonly content: readonly UserContent[];
  readonly details?: unknown;
  readonly isError?: boolean;
  /** If all results of a batch set it, the run ends without another request. */
  readonly terminate?: boolean;
  /** Id of a started run that has not ended: a caller that can wait repeats the call after its end. */
  readonly awaits?: string;
  /** Rooms of the shown messages, in addition to what the tool always reveals (T9). */
  readonly sources?: readonly Source[];
  /** Cost of model requests within the call, already recorded in the host's ledger. */
  readonly used?: Spent;
}

export interface Tool {
  readonly name: string;
  readonly group: ToolGroup;
  /** Kept by an allow-list that names only optional tools. */
  readonly core: boolean;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly replay: ReplayPolicy;
  readonly executionMode?: 'parallel' | 'sequential';
  /** ms until the call is cut off and reported, even if the body ignores its signal. */
  readonly timeoutMs?: number;
  /** Results are untrusted content (messages, files from others, web), so they taint the turn (T9). */
  readonly foreign?: boolean;
  /**
   * Possible sources of its results (T9); absent for those of its group, empty if results reveal nothing
   * stored.
   */
  readonly reveals?: readonly Source[];
  /** Arguments are validated and frozen. Never throws for bad arguments; it may throw for bugs. */
  assess(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Assessment | Promise<Assessment>;
  execute(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<ToolOutput>;
}

// --- the gate ----------------------------------------------------------------------------------------------------

/** Sources in a message to the turn's own conversation that not all of its readers may know (T9). */
export interface HeldBack {
  readonly roomId: string;
  /** Slugs; `null` if the readers are unknown. */
  readonly outsiders: readonly string[] | null;
  readonly sources: readonly Source[];
  /** Display text: "its files and its notes". */
  readonly what: string;
  /** Display text: `@ada-1`, or a room with the number of other readers. */
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
  /** Reason that the model gave, if any. Never a ground for approval. */
  readonly justification: string;
  /** The turn's context contains untrusted content. */
  readonly tainted: boolean;
  /** Set if the operator must approve revealing these sources. */
  readonly heldBack?: HeldBack;
  /** For rules about groups; absent if the tool has no known group. */
  readonly group?: ToolGroup;
  /** Started before a crash and never ended: its earlier answer remains valid. */
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

/** False if the call was cancelled meanwhile. */
export type CallReady = () => Promise<boolean>;

/**
 * The single check between a model's request and its execution. Waits for an answer until the signal aborts.
 */
export interface ApprovalGate {
  /**
   * `ready` is awaited between an operator's answer and its delivery, because the call may have to wait
   * before it can continue. The answer to a cancelled call is kept for its return.
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
  /** Increases from 1 per thread; gaps are possible. */
  readonly seq: number;
  readonly message: TranscriptMessage;
}

/**
 * Transcripts of one agent, by thread; every write is durable when it returns. Throws `StoreError` like
 * `AccountStore`. Intent before an effect, result after it.
 */
export interface TranscriptStore {
  /** From the newest compaction on, oldest first. */
  load(threadKey: string): readonly TranscriptEntry[];
  append(threadKey: string, messages: readonly TranscriptMessage[]): void;
  /** Earlier entries are kept for people and no longer loaded; `summary` becomes the first loaded entry. */
  compact(threadKey: string, keepFromSeq: number, summary: TranscriptMessage): void;
  callStarted(threadKey: string, intent: CallIntent): void;
  /** Stores the result message in the same transaction. */
  callEnded(threadKey: string, callId: string, result: TranscriptMessage): void;
  /** Calls that started and never ended: their outcome is unknown. */
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
 * Confined files of an agent (T14): a path is resolved, checked against the roots, and then opened component
 * by component without following links, so that a swap between check and use reaches nothing outside. Only
 * regular files and folders; hard links to outside are refused if a file has more than one name. Errors:
 * `forbidden` outside the roots (`where`: the requested path), `not_found`, `conflict`, `too_large`,
 * `unsupported` (FIFO, device), `disk_full`, `io_error`, `invalid_input` (NUL, too long).
 */
export interface ConfinedFiles {
  readonly roots: FileRoots;
  /**
   * Real path of `path` (absolute or below cwd), checked for this access; parents must exist. `entry`: for
   * removal or renaming, so a link is not followed.
   */
  resolve(path: string, access: 'read' | 'write' | 'entry'): Result<string>;
  /** At most `maxBytes` from `offset`; `size` is the whole file's. */
  read(
    path: string,
    range: { readonly offset?: number; readonly maxBytes: number },
  ): Promise<Result<{ readonly bytes: Uint8Array; readonly size: number }>>;
  /** Atomic and durable. `create`: `conflict` if the file exists. Creates no folders. */
  write(path: string, content: Uint8Array, how: 'create' | 'replace'): Promise<Result<void>>;
  list(
    path: string,
    limit: number,
  ): Promise<Result<{ readonly entries: readonly FileEntry[]; readonly more: boolean }>>;
  stat(path: string): Promise<Result<FileEntry>>;
  /** `private`: the new folder is closed to other users, whatever its parent allows. */
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
  /** Bytes kept per stream; the rest is counted and discarded while reading. */
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

/** Starts programs without a shell in a process group of their own, and leaves none running. */
export interface ProcessPort {
  run(request: ProcessRequest, signal: AbortSignal): Promise<Result<ProcessOutcome>>;
}

/**
 * Folders that a sandboxed program sees beside the system's programs: absolute paths, and nothing else of the
 * disk.
 */
export interface SandboxView {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly network: boolean;
}

/** `ProcessPort` with an OS sandbox around every program; absent if the system offers none. */
export interface SandboxPort {
  readonly kind: Exclude<SandboxKind, 'confined' | 'none'>;
  run(request: ProcessRequest, view: SandboxView, signal: AbortSignal): Promise<Result<ProcessOutcome>>;
}
