import type { MethodOutput } from '../../contract/methods.ts';
import type { RunFork } from '../../contract/workflow-methods.ts';
import type { ForkOrigin } from '../../core/workflows/engine/events.ts';
import type { RunState } from '../../core/workflows/engine/fold.ts';

const viewFork = ({ run, from, by }: ForkOrigin): RunFork => ({ run, from, by: by ?? '' });

export const viewForks = ({
  forkedFrom,
  forks,
}: RunState): Pick<MethodOutput<'runs.get'>, 'forkedFrom' | 'forks'> => ({
  forkedFrom: forkedFrom && viewFork(forkedFrom),
  forks: forks.map(viewFork),
});
