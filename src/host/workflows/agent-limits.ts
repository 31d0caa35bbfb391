import { childrenOf, type Step, type WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import { pipelineEffect } from '../../core/workflows/file/pipeline-stages.ts';
import { isPlain, printTemplate } from '../../core/workflows/file/template.ts';

// What a workflow of an agent's own words may hold: it never gets more than the agent has by itself.

const allSteps = (steps: readonly Step[]): readonly Step[] =>
  steps.flatMap((step) => [step, ...allSteps([...childrenOf(step).flatMap((child) => child.steps)])]);

/**
 * By its stages, never by the `effect` its file names: that says only how often a step may run. A raw place may bring any
 * stage with it (T9).
 */
const starts = (step: Step): boolean =>
  step.kind === 'run' ||
  (step.kind === 'pipeline' &&
    (pipelineEffect(step.pipeline) !== 'pure' ||
      step.pipeline.some((part) => part.kind !== 'text' && part.raw)));

/** Programs are started, tools called, or work is handed to agents. */
export const actsOf = ({ steps }: WorkflowDefinition): boolean =>
  allSteps(steps).some((step) => starts(step) || step.kind === 'agent');

/** Why an agent without a shell of its own may not run this; null: it may. */
export function whatIsTooMuch(definitions: readonly WorkflowDefinition[], agentId: string): string | null {
  const steps = definitions.flatMap((definition) => allSteps(definition.steps));
  const program = steps.find(starts);
  if (program)
    return `Step '${program.id}' acts on its own, and in workflows of your own you may not do that.`;
  // Another model may be another company, or dearer: what the agent thinks with was chosen for it.
  const elsewhere = steps.find(
    (step) => step.kind === 'llm-task' && (step.provider !== null || step.model !== null),
  );
  if (elsewhere)
    return `Step '${elsewhere.id}' names a model, and in workflows of your own only yours is asked.`;
  const handed = steps.find(
    (step) =>
      step.kind === 'agent' && (!step.agent || !isPlain(step.agent) || printTemplate(step.agent) !== agentId),
  );
  return handed ? `Step '${handed.id}' hands work to another agent, which you may not do by yourself.` : null;
}
