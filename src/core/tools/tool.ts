/** A tool of an agent, and the context and output of its calls. */

import type { UserContent } from '../models/messages.ts';
import type { JsonSchema } from '../models/model-ports.ts';
import type { ReplayPolicy } from '../models/transcript-store.ts';
import type { Spent } from '../models/usage.ts';
import type { Assessment, ToolGroup } from '../policy/assessment.ts';
import type { Source } from '../policy/source.ts';

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
  /** Calls other tools of the agent; only for a tool with `callsTools`. */
  readonly inner?: InnerCalls;
  /** Partial result to show; late ones are ignored. */
  progress(partial: ToolOutput): void;
}

/** End of a call that another call made. `denied`: the approval gate refused it. */
export interface InnerCallEnd {
  readonly callId: string;
  readonly state: 'done' | 'failed' | 'denied';
  readonly output: ToolOutput;
}

/**
 * Calls that a running call makes. Each one is a call of its own: validated, decided at the approval gate with its own
 * question and receipt, and shown as a step. What it reads taints the turn (T9).
 */
export interface InnerCalls {
  readonly tools: readonly Pick<Tool, 'name' | 'description' | 'parameters' | 'output' | 'group' | 'core'>[];
  /** Never throws for a call that fails. `args` are untrusted. */
  call(name: string, args: unknown, signal: AbortSignal): Promise<InnerCallEnd>;
  /** Runs a sub-agent whose calls are these calls; absent where the host does not call the model itself. Never throws. */
  subAgent?(request: SubAgentRequest, signal: AbortSignal): Promise<SubAgentEnd>;
}

export interface SubAgentRequest {
  readonly task: string;
  /** Names of the tools that it may call. */
  readonly tools: ReadonlySet<string>;
  /** It ends once it has used this many. */
  readonly maxTokens: number;
  readonly maxRequests: number;
  /** Called with each text that it writes. */
  onText(text: string): void;
}

export interface SubAgentEnd {
  readonly end: 'done' | 'failed' | 'limit' | 'aborted';
  /** Its result, or the reason of the failure. */
  readonly text: string;
  readonly tokens: number;
  readonly requests: number;
  readonly calls: readonly (Pick<InnerCallEnd, 'callId' | 'state'> & { readonly tool: string })[];
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
  /** Id of the restore point that can undo what the call changed in files. */
  readonly restorePoint?: string;
}

export interface Tool {
  readonly name: string;
  readonly group: ToolGroup;
  /** Kept by an allow-list that names only optional tools. */
  readonly core: boolean;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Schema of the structured content of results, for code that calls the tool. */
  readonly output?: JsonSchema;
  readonly replay: ReplayPolicy;
  readonly executionMode?: 'parallel' | 'sequential';
  /** Gets `inner` in its context, and is itself no inner call. */
  readonly callsTools?: true;
  /** ms until the call is cut off and reported, even if the body ignores its signal. */
  readonly timeoutMs?: number;
  /** Results are untrusted content (messages, files from others, web), so they taint the turn (T9). */
  readonly foreign?: boolean;
  /**
   * Possible sources of its results (T9); absent for those of its group, empty if results reveal nothing
   * stored.
   */
  readonly reveals?: readonly Source[];
  /** Possible sources of its refusals and failures, which tell what exists; absent for those of its results. */
  readonly refusalReveals?: readonly Source[];
  /** Arguments are validated and frozen. Never throws for bad arguments; it may throw for bugs. */
  assess(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Assessment | Promise<Assessment>;
  execute(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<ToolOutput>;
}
