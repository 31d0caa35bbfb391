/** Builds the standing answer of a decision, if any: exactly the offered rule. */
import { readShare, shareTool } from '../policy/audience.ts';
import type { ApprovalRow, GrantRow } from './approval-ports.ts';

/** `null` for "once" and for every rejection. */
export function grantFrom({ approval, pattern }: ApprovalRow, id: string, now: number): GrantRow | null {
  const scope = approval.state === 'allowed' ? approval.decision?.scope : null;
  if (!scope || scope === 'once') return null;
  const offer = approval.offers.find((offered) => offered.scope === scope);
  if (!offer) return null;
  const byDigest = scope === 'exact' || pattern === '';
  return {
    grant: {
      id,
      agentId: approval.agentId,
      agentName: approval.agentName,
      tool: readShare(pattern) ? shareTool : approval.subject,
      scope,
      rule: offer.rule,
      createdAt: now,
      lastUsedAt: null,
      uses: 0,
    },
    digest: byDigest ? approval.digest : null,
    pattern: byDigest ? '' : pattern,
    revokedAt: null,
  };
}
