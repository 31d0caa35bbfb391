import { applyPatch } from '../contract/apply-patch.ts';
import type { Approval, ApprovalsView } from '../contract/consent.ts';
import type { HostClient } from '../contract/host-api.ts';
import { questionLine } from './approval-text.ts';

export interface ApprovalAnnouncement {
  readonly id: string;
  readonly agentId: string;
  readonly text: string;
}

/** A workflow's question may be a complete sentence and may need more than yes or no. */
export function announcementOf(approval: Approval): string {
  const question = questionLine(approval);
  const waits = /[.?!:]$/.test(question)
    ? `${question} It waits for you.`
    : `${question}, and waits for you.`;
  const answer = approval.gate && approval.gate.kind !== 'approval' ? 'answer it' : 'allow or deny it';
  return `${waits} Look at it with "kennel approvals show ${approval.id}", then ${answer}.`;
}

/**
 * Announces each open question once, with the command to answer it, until the returned function is called.
 */
export function announceApprovals(
  client: Pick<HostClient, 'subscribe'>,
  tell: (announcement: ApprovalAnnouncement) => void,
): () => void {
  const told = new Set<string>();
  let state: unknown = { waiting: {} };
  return client.subscribe('approvals', (event) => {
    if (event.type === 'end') return;
    state = event.type === 'snapshot' ? event.state : applyPatch(state, event.ops);
    for (const approval of Object.values((state as ApprovalsView).waiting)) {
      if (told.has(approval.id)) continue;
      told.add(approval.id);
      tell({ id: approval.id, agentId: approval.agentId, text: announcementOf(approval) });
    }
  });
}
