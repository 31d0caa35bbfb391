/** Questions of the same kind stand together: same agent, same tool, same pattern of command. */
import type { Approval } from '../../contract/consent.ts';

/** What two questions have in common that are alike; shown, too. */
export function ruleOf({ offers, preview, subject, title }: Approval): string {
  const pattern = offers.find((offer) => offer.scope === 'pattern')?.rule;
  if (pattern !== undefined) return pattern;
  const word = preview.kind === 'command' ? preview.body.trim().split(/\s+/)[0] : undefined;
  return word === undefined ? title : `${subject}(${word} …)`;
}

/** What a workflow asks is answered in its own way each time. */
const likeness = (approval: Approval): string =>
  approval.gate !== undefined
    ? approval.id
    : [approval.agentId, approval.kind, approval.subject, ruleOf(approval)].join('\n');

export type Cluster = readonly [Approval, ...Approval[]];

/** In the order in which their first ones came. */
export function clusters(approvals: readonly Approval[]): readonly Cluster[] {
  const found = new Map<string, [Approval, ...Approval[]]>();
  for (const approval of approvals) {
    const same = found.get(likeness(approval));
    if (same === undefined) found.set(likeness(approval), [approval]);
    else same.push(approval);
  }
  return [...found.values()];
}
