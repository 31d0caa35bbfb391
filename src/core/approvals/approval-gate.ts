/** Port of the approval gate, the single check between a model and an effect. */
import type { Assessment, HeldBack, ToolGroup } from '../policy/assessment.ts';

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
  /** No resumed turn repeats the call, so its question ends with the host. */
  readonly endsWithHost?: true;
}

export type GateDecision =
  | {
      readonly type: 'allow';
      readonly by: 'policy' | 'grant' | 'operator';
      readonly receiptId: string | null;
      /** Checked values of a question with a form. */
      readonly response?: unknown;
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
