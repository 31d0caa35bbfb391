/** The registry of step kinds. */
import type { EffectClass, Step, StepKind } from './definition.ts';
import { agentKind } from './kinds/agent.ts';
import { approvalKind } from './kinds/approval.ts';
import { forEachKind } from './kinds/for-each.ts';
import { inputKind } from './kinds/input.ts';
import { llmTaskKind } from './kinds/llm-task.ts';
import { parallelKind } from './kinds/parallel.ts';
import { pipelineKind } from './kinds/pipeline.ts';
import { runKind } from './kinds/run.ts';
import { sleepKind } from './kinds/sleep.ts';
import type { PartOf, StepChildren, StepKindRules } from './kinds/step-kind.ts';
import { workflowKind } from './kinds/workflow.ts';

const rules: { readonly [Kind in StepKind]: StepKindRules<Kind> } = {
  run: runKind,
  pipeline: pipelineKind,
  agent: agentKind,
  'llm-task': llmTaskKind,
  workflow: workflowKind,
  input: inputKind,
  approval: approvalKind,
  parallel: parallelKind,
  for_each: forEachKind,
  sleep: sleepKind,
};

/** In the order in which files and messages name them. */
export const stepKinds = Object.keys(rules) as readonly StepKind[];

export const kindRules = <Kind extends StepKind>(kind: Kind): StepKindRules<Kind> => rules[kind];

export const defaultEffect = (part: PartOf<StepKind>): EffectClass => kindRules(part.kind).effectOf(part);

/** Steps directly below one, by branch. */
export function childrenOf(step: Step): readonly StepChildren[] {
  const gate = step.kind === 'input' ? step.input : step.approval;
  const below = kindRules<StepKind>(step.kind).children?.(step) ?? [];
  const ofGate = gate
    ? [
        { branch: 'on_reject', steps: gate.onReject.steps },
        { branch: 'on_timeout', steps: gate.onTimeout.steps },
      ]
    : [];
  return [...below, ...ofGate].filter(({ steps }) => steps.length > 0);
}
