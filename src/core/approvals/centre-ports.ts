/** What the approval centre is given, and what is put to it that is no call of a tool. */
import type { Approval, Receipt } from '../../contract/consent.ts';
import type { Clock, Log, Random } from '../ports.ts';
import type { GateCall } from '../tool-ports.ts';
import type { AgentFacts, ApprovalRow, AuditPort, ConsentStore, ReceiptSigner } from './approval-ports.ts';
import type { Answerer } from './outside-question.ts';

export interface CentreDeps {
  readonly store: ConsentStore;
  readonly audit: AuditPort;
  readonly signer: ReceiptSigner;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What holds for the agent now; null when there is none of that id. */
  facts(call: Pick<GateCall, 'agentId' | 'turnId' | 'threadKey'>): AgentFacts | null;
  /** ms a question waits until the answer is no. */
  lifeMs(): number;
  /** A question was made, answered, or went; called after it was stored. */
  onChanged(approval: Approval): void;
  /** Decides about questions of kind `workflow`; absent: nobody can. */
  readonly answerer?: Answerer;
  /** To be put into the chat; told again when its call comes back after a crash. */
  onAsked(row: ApprovalRow): void;
}

/** A question that no tool call waits for: spending, an invitation. */
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
  > {
  readonly kind: Exclude<Approval['kind'], 'tool'>;
  readonly args: Readonly<Record<string, unknown>>;
  /** What it is about, the same after a restart: asked again, it is the same question. */
  readonly key: string;
  /** What a yes allows, in words. */
  readonly rule?: string;
}

export interface Decided {
  readonly approval: Approval;
  readonly receipt: Receipt | null;
}
