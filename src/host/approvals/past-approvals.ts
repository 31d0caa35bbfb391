import type { Approval } from '../../contract/approvals.ts';
import type { Result } from '../../contract/result.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { HostStore } from '../../services/db/host-store.ts';

export interface PastApprovals {
  /** False if no question was ever asked; then no store is created. */
  begun(): boolean;
  parts(): Result<{ readonly store: Pick<HostStore, 'list' | 'ofTurn'> }>;
}

/** The latest decided approvals, newest first; none while the vault is closed. */
export function decidedApprovals(past: PastApprovals, limit: number): readonly Approval[] {
  const parts = past.begun() ? past.parts() : null;
  return parts?.ok ? parts.value.store.list({ state: 'decided', limit }).map(({ approval }) => approval) : [];
}

/** All approvals of a turn; none if they cannot be read now. */
export function approvalsOfTurn(past: PastApprovals, agentId: string, turnId: string): readonly Approval[] {
  const parts = past.begun() ? past.parts() : null;
  if (!parts?.ok) return [];
  return despiteStore(() => parts.value.store.ofTurn(agentId, turnId), []).map(({ approval }) => approval);
}

/** When a turn waited for answers; `to` is `null` while a question is open. */
export const waitsOfTurn = (
  past: PastApprovals,
  agentId: string,
  turnId: string,
): { readonly from: number; readonly to: number | null }[] =>
  approvalsOfTurn(past, agentId, turnId).map(({ createdAt, decision }) => ({
    from: createdAt,
    to: decision?.at ?? null,
  }));
