/** Dependencies of the approval centre, and questions that are no tool calls. */
import type { Approval, Receipt } from '../../contract/approvals.ts';
import type { Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import type { Clock, Log, Random } from '../ports.ts';
import type { GateCall } from './approval-gate.ts';
import type { AgentFacts, ApprovalRow, AuditPort, ConsentStore, ReceiptSigner } from './approval-ports.ts';
import type { Answerer } from './outside-question.ts';

/** Durable records of questions and answers. */
export interface ConsentRecords {
  readonly store: ConsentStore;
  readonly audit: AuditPort;
  readonly signer: ReceiptSigner;
}

export interface ConsentRules {
  /** Current facts of the agent; `null` if the id is unknown. */
  facts(call: Pick<GateCall, 'agentId' | 'turnId' | 'threadKey'>): AgentFacts | null;
  /** ms until an unanswered question is denied. */
  lifeMs(): number;
  /** Decides questions of kind `workflow`; absent if none can be decided. */
  readonly answerer?: Answerer;
}

export interface CentreEvents {
  /** Called after a change of a question was stored. */
  onChanged(approval: Approval): void;
  /** Called to post the question in the chat; repeated when its call returns after a crash. */
  onAsked(row: ApprovalRow): void;
}

export interface CentreDeps {
  readonly records: ConsentRecords;
  readonly rules: ConsentRules;
  readonly events: CentreEvents;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Question without a waiting tool call: spending, an invitation. */
export interface Question
  extends Pick<
    Approval,
    | 'agentId'
    | 'agentName'
    | 'subject'
    | 'title'
    | 'preview'
    | 'risk'
    | 'why'
    | 'where'
    | 'roomId'
    | 'threadRootId'
    | 'form'
    | 'link'
    | 'endsWithHost'
  > {
  readonly kind: Exclude<Approval['kind'], 'tool'>;
  readonly args: Readonly<Record<string, unknown>>;
  /** Idempotency key, stable across restarts: the same key is the same question. */
  readonly key: string;
  /** Text of what an approval allows. */
  readonly rule?: HostText;
  /** Checks the values of a form; a failure leaves the question open. Required with `form`. */
  readonly accepts?: FormCheck;
}

export type FormCheck = (response: unknown) => Result<unknown>;

export interface Decided {
  readonly approval: Approval;
  readonly receipt: Receipt | null;
}
