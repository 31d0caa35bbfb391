/** Ports of the approval centre: its store, its audit log, its signing key, and the policy of each agent. */
import type { Approval, AuditLine, Grant, Receipt } from '../../contract/approvals.ts';
import type { Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import type { Assessment, HeldBack } from '../policy/assessment.ts';
import type { AgentPolicy } from '../policy/policy-call.ts';

/** Identifies the call of a question, to find it again after a crash. */
export interface CallKey {
  readonly agentId: string;
  readonly turnId: string;
  readonly threadKey: string;
  readonly callId: string;
}

/** Chat message of a question; only its thread answers the question. */
export interface ConsentPost {
  readonly messageId: string;
  readonly roomId: string;
  /** The agent's own copy of the answer; `null` until it arrived. */
  readonly answerId: string | null;
}

export interface ApprovalRow {
  readonly approval: Approval;
  /** `null` for questions that no tool call waits for. */
  readonly call: CallKey | null;
  /** Pattern of a possible standing answer; empty if only the digest applies. */
  readonly pattern: string;
  /** ms since the epoch; `null` until the waiting call received the answer. */
  readonly deliveredAt: number | null;
  readonly post: ConsentPost | null;
}

export interface GrantRow {
  readonly grant: Grant;
  readonly digest: string | null;
  readonly pattern: string;
  readonly revokedAt: number | null;
}

/** Recorded call for the back-test. */
export interface RecordedCall {
  /** Increases; 0 before it is stored. */
  readonly seq: number;
  readonly at: number;
  readonly agentId: string;
  readonly tool: string;
  readonly group: string;
  readonly title: HostText;
  readonly argsJson: string;
  readonly digest: string;
  readonly tainted: boolean;
  readonly assessment: Pick<Assessment, 'risk' | 'effects' | 'blocked'>;
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** Content that the answer would have revealed to readers without access; absent if none. */
  readonly heldBack?: HeldBack;
}

export interface ApprovalQuery {
  readonly state: 'waiting' | 'decided' | 'all';
  readonly agent?: string;
  /** Only approvals older than this one. */
  readonly before?: string;
  readonly limit: number;
}

/** Every method is durable when it returns, and throws `StoreError` otherwise. */
export interface ConsentStore {
  save(row: ApprovalRow): void;
  /** One transaction: the decided row, its receipt, and its grant. */
  settle(row: ApprovalRow, receipt: Receipt, grant: GrantRow | null): void;
  row(id: string): ApprovalRow | null;
  /** At most two: enough to detect an ambiguous prefix. */
  startingWith(prefix: string): readonly ApprovalRow[];
  /** Finds the question that was posted as this chat message. */
  byPost(messageId: string): ApprovalRow | null;
  waiting(): readonly ApprovalRow[];
  /** Newest first, at most 50: questions about this call id of this agent, with any arguments. */
  ofCall(agentId: string, callId: string): readonly ApprovalRow[];
  /** Newest first. */
  list(query: ApprovalQuery): readonly ApprovalRow[];
  receiptOf(approvalId: string): Receipt | null;
  /** Without revoked and session grants. */
  grants(agentId: string | null): readonly GrantRow[];
  addGrant(row: GrantRow): void;
  grantUsed(id: string, at: number): void;
  /** False if no valid grant has this id. */
  revoke(id: string, at: number): boolean;
  /** One transaction; deletes the oldest calls beyond the retention. */
  record(calls: readonly RecordedCall[], keepSince: number): void;
  /** Newest first. */
  recorded(query: {
    readonly agent?: string;
    readonly since: number;
    readonly limit: number;
  }): readonly RecordedCall[];
}

export type AuditEntry = Pick<AuditLine, 'kind' | 'agentId' | 'tool' | 'digest' | 'outcome' | 'detail'>;

export interface AuditPort {
  /** Resolves once the line is on disk. Never rejects. */
  append(entry: AuditEntry): Promise<Result<void>>;
}

export interface ReceiptSigner {
  /** base64url. */
  readonly publicKey: string;
  /** Hex. */
  sha256(bytes: Uint8Array): string;
  /** base64url. */
  sign(bytes: Uint8Array): string;
}

export interface AgentFacts {
  readonly name: string;
  readonly policy: AgentPolicy;
  /** Room and thread that the operator can see; `null` if none. */
  readonly room: { readonly roomId: string; readonly threadRootId: string | null } | null;
}
