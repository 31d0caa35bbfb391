import type { MethodOutput } from '../../contract/methods.ts';
import type { RunAgain, RunFork } from '../../contract/workflow-methods.ts';
import type { ForkOrigin } from '../../core/workflows/engine/events.ts';
import { isFinished, type RunState } from '../../core/workflows/engine/fold.ts';
import { planFork } from '../../core/workflows/engine/fork.ts';
import type { WorkflowDefinition } from '../../core/workflows/file/definition.ts';

// What people are shown of running again before they do it, and of what came of it.

type Known = MethodOutput<'runs.get'>;

const viewFork = ({ run, from, by }: ForkOrigin): RunFork => ({ run, from, by: by ?? '' });

function viewAgain(state: RunState, definition: WorkflowDefinition, from: string): RunAgain {
  const plan = planFork(state, definition, from);
  if (!plan.ok) return { from, refusal: plan.error.message, asked: [], once: [] };
  const { asked, once } = plan.value;
  return { from, refusal: '', asked: [...asked], once: [...once] };
}

export const viewForks = (
  state: RunState,
  definition: WorkflowDefinition,
): Pick<Known, 'forkedFrom' | 'forks' | 'again'> => ({
  forkedFrom: state.forkedFrom && viewFork(state.forkedFrom),
  forks: state.forks.map(viewFork),
  again: isFinished(state.status)
    ? definition.steps.map(({ path }) => viewAgain(state, definition, path))
    : [],
});
