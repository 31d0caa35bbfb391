/** Groups similar approvals: same agent, same tool, same command pattern. */
import type { Approval } from '../../contract/approvals.ts';
import { localize } from '../../language/texts.ts';

/** Pattern that similar approvals share; also shown in the group's heading. */
export function ruleOf({ offers, preview, subject, title }: Approval): string {
  const pattern = offers.find((offer) => offer.scope === 'pattern')?.rule;
  if (pattern !== undefined) return localize(pattern);
  const word = preview.kind === 'command' ? preview.body.trim().split(/\s+/)[0] : undefined;
  return word === undefined ? localize(title) : `${subject}(${word} …)`;
}

/** Workflow gates and forms are never grouped, because each has its own form of answer. */
const likeness = (approval: Approval): string =>
  approval.gate !== undefined || approval.form !== undefined
    ? approval.id
    : [approval.agentId, approval.kind, approval.subject, ruleOf(approval)].join('\n');

export type Cluster = readonly [Approval, ...Approval[]];

/** In the order of each group's first approval. */
export function clusters(approvals: readonly Approval[]): readonly Cluster[] {
  const found = new Map<string, [Approval, ...Approval[]]>();
  for (const approval of approvals) {
    const same = found.get(likeness(approval));
    if (same === undefined) found.set(likeness(approval), [approval]);
    else same.push(approval);
  }
  return [...found.values()];
}
