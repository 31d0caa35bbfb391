import type { ApprovalsView } from '../contract/consent.ts';
import type { HostClient } from '../contract/host-api.ts';
import { applyPatch } from '../contract/patch.ts';
import { questionLine } from './approval-text.ts';

export interface Announcement {
  readonly id: string;
  readonly agentId: string;
  readonly text: string;
}

/** Tells each question that waits once, with how to answer it; until the returned function is called. */
export function announceApprovals(
  client: Pick<HostClient, 'subscribe'>,
  tell: (announcement: Announcement) => void,
): () => void {
  const told = new Set<string>();
  let state: unknown = { waiting: {} };
  return client.subscribe('approvals', (event) => {
    if (event.type === 'end') return;
    state = event.type === 'snapshot' ? event.state : applyPatch(state, event.ops);
    for (const approval of Object.values((state as ApprovalsView).waiting)) {
      if (told.has(approval.id)) continue;
      told.add(approval.id);
      const how = `Look at it with "kennel approvals show ${approval.id}", then allow or deny it.`;
      tell({
        id: approval.id,
        agentId: approval.agentId,
        text: `${questionLine(approval)}, and waits for you. ${how}`,
      });
    }
  });
}
