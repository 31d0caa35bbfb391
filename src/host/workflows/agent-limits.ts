import type { Step, WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import { pipelineEffect } from '../../core/workflows/file/pipeline-stages.ts';
import { childrenOf } from '../../core/workflows/file/step-kinds.ts';
import { isPlainText, printTemplate } from '../../core/workflows/file/template.ts';

// Limits workflows that an agent wrote: they never get more rights than the agent itself.

const allSteps = (steps: readonly Step[]): readonly Step[] =>
  steps.flatMap((step) => [step, ...allSteps([...childrenOf(step).flatMap((child) => child.steps)])]);

/**
 * Checks the stages, not the declared `effect`, which only limits repetition. A raw placeholder can insert
 * any stage (T9).
 */
const starts = (step: Step): boolean =>
  step.kind === 'run' ||
  (step.kind === 'pipeline' &&
    (pipelineEffect(step.pipeline) !== 'pure' ||
      step.pipeline.some((part) => part.kind !== 'text' && part.raw)));

/** Whether the workflow starts programs, calls tools or gives work to agents. */
export const actsOf = ({ steps }: WorkflowDefinition): boolean =>
  allSteps(steps).some((step) => starts(step) || step.kind === 'agent');

/** Why an agent without a shell may not run this, or `null` if it may. */
export function whatIsTooMuch(definitions: readonly WorkflowDefinition[], agentId: string): string | null {
  const steps = definitions.flatMap((definition) => allSteps(definition.steps));
  const program = steps.find(starts);
  if (program)
    return `Step '${program.id}' acts on its own, and in workflows of your own you may not do that.`;
  // Another model may belong to another company or cost more; the operator chose the agent's model.
  const elsewhere = steps.find(
    (step) => step.kind === 'llm-task' && (step.provider !== null || step.model !== null),
  );
  if (elsewhere)
    return `Step '${elsewhere.id}' names a model, and in workflows of your own only yours is asked.`;
  const handed = steps.find(
    (step) =>
      step.kind === 'agent' &&
      (!step.agent || !isPlainText(step.agent) || printTemplate(step.agent) !== agentId),
  );
  return handed ? `Step '${handed.id}' hands work to another agent, which you may not do by yourself.` : null;
}
