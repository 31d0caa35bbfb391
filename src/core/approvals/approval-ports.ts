/** What the outside must supply to the approval centre: its rows, its log, its key, and each agent's policy. */
import type { Approval, AuditLine, Grant, Receipt } from '../../contract/consent.ts';
import type { Result } from '../../contract/result.ts';
import type { AgentPolicy } from '../policy/policy-call.ts';
import type { Assessment, HeldBack } from '../tool-ports.ts';

/** Which call a question is about, so that it is found again after a crash. */
export interface CallKey {
  readonly agentId: string;
  readonly turnId: string;
  readonly threadKey: string;
  readonly callId: string;
}

/** Where the question was put in the chat: the one message whose thread answers it. */
export interface ConsentPost {
  readonly messageId: string;
  readonly roomId: string;
  /** The agent's own copy of the answer, once it came. */
  readonly answerId: string | null;
}

export interface ApprovalRow {
  readonly approval: Approval;
  /** Null for questions that no tool call waits for. */
  readonly call: CallKey | null;
  /** What a standing answer would hold: the pattern, empty when only the digest. */
  readonly pattern: string;
  /** ms since the epoch; null until the answer was handed to the call that waited. */
  readonly deliveredAt: number | null;
  readonly post: ConsentPost | null;
}

export interface GrantRow {
  readonly grant: Grant;
  readonly digest: string | null;
  readonly pattern: string;
  readonly revokedAt: number | null;
}

/** For the back-test. */
export interface RecordedCall {
  /** Counts up; 0 before it is stored. */
  readonly seq: number;
  readonly at: number;
  readonly agentId: string;
  readonly tool: string;
  readonly group: string;
  readonly title: string;
  readonly argsJson: string;
  readonly digest: string;
  readonly tainted: boolean;
  readonly assessment: Pick<Assessment, 'risk' | 'effects' | 'blocked'>;
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** What an answer would have told beyond what its audience could read; absent: nothing. */
  readonly heldBack?: HeldBack;
}

export interface ApprovalQuery {
  readonly state: 'waiting' | 'decided' | 'all';
  readonly agent?: string;
  /** Older than this approval. */
  readonly before?: string;
  readonly limit: number;
}

/** Every method is durable when it returns and throws `StoreError` when it cannot be. */
export interface ConsentStore {
  save(row: ApprovalRow): void;
  /** One transaction: the decided row, its receipt, and the grant it makes. */
  settle(row: ApprovalRow, receipt: Receipt, grant: GrantRow | null): void;
  row(id: string): ApprovalRow | null;
  /** At most two: enough to tell one from several. */
  startingWith(prefix: string): readonly ApprovalRow[];
  /** The question that was put into the chat as this message. */
  byPost(messageId: string): ApprovalRow | null;
  waiting(): readonly ApprovalRow[];
  /** Newest first, at most 50: questions about this call id of this agent, whatever the arguments. */
  ofCall(agentId: string, callId: string): readonly ApprovalRow[];
  /** Newest first. */
  list(query: ApprovalQuery): readonly ApprovalRow[];
  receiptOf(approvalId: string): Receipt | null;
  /** Neither revoked nor of a session. */
  grants(agentId: string | null): readonly GrantRow[];
  addGrant(row: GrantRow): void;
  grantUsed(id: string, at: number): void;
  /** False when there is none that stands. */
  revoke(id: string, at: number): boolean;
  /** One transaction; the oldest beyond what is kept go. */
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
  /** Resolves when the line is on the disk. Never rejects. */
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
  /** The operator can see this room and thread; null where they cannot. */
  readonly room: { readonly roomId: string; readonly threadRootId: string | null } | null;
}
