/** Collects every text and reference of a step, and whether it is read after the step's own work. */

import { refsOf } from './condition-value.ts';
import type { Step, StepKind } from './definition.ts';
import { kindRules } from './step-kinds.ts';
import { TextCollector, type Uses } from './text-uses.ts';

/** Without the nested steps. */
export function usesOf(step: Step): Uses {
  const to = new TextCollector();
  kindRules<StepKind>(step.kind).collect?.(step, to);
  for (const ref of step.when ? refsOf(step.when) : []) to.ref('when', ref);
  if (step.stdin?.kind === 'ref') to.ref('stdin', step.stdin.ref);
  if (step.stdin?.kind === 'template') to.text('stdin', step.stdin.template);
  for (const template of Object.values(step.env)) to.text('env', template);
  to.text('cwd', step.cwd);
  to.text('idempotency_key', step.idempotencyKey);
  if (step.approval) {
    const after = step.kind !== 'approval';
    to.text('approval', step.approval.prompt, 'text', after);
    to.text('approval', step.approval.preview, 'text', after);
    to.value('approval', step.approval.items, after);
  }
  return to;
}
