/** The standing answer that a decision makes, if it makes one: exactly the rule that was on offer. */
import type { ApprovalRow, GrantRow } from './approval-ports.ts';

/** Null for "once" and for every no. */
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
      tool: approval.subject,
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
