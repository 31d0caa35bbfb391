import { applyPatch } from '../contract/apply-patch.ts';
import type { Approval, ApprovalsView } from '../contract/approvals.ts';
import type { HostClient } from '../contract/host-api.ts';
import { questionLine } from './approval-text.ts';
import { copy } from './copy.ts';

export interface ApprovalAnnouncement {
  readonly id: string;
  readonly agentId: string;
  readonly text: string;
}

/** A workflow's question may be a complete sentence and may need more than yes or no. */
export function announcementOf(approval: Approval): string {
  const question = questionLine(approval);
  const waits = /[.?!:]$/.test(question)
    ? copy('cliApprovals.questionWaits', { question })
    : copy('cliApprovals.questionLineWaits', { question });
  const answer =
    approval.gate && approval.gate.kind !== 'approval'
      ? copy('cliApprovals.answerIt')
      : copy('cliApprovals.allowOrDeny');
  return copy('cliApprovals.lookAndAnswer', { waits, id: approval.id, answer });
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
