import { presentFields, unless } from '../write-fields.ts';
import { type StepKindRules, timedFields } from './step-kind.ts';

export const parallelKind: StepKindRules<'parallel'> = {
  keys: ['parallel'],
  takes: timedFields,
  containers: ['parallel'],
  effectOf: () => 'pure',
  read({ path, place, readSteps }, { parallel }) {
    if (!parallel) return null;
    const branches = readSteps(parallel.branches, [...place, 'parallel', 'branches'], path);
    return { kind: 'parallel', branches, wait: parallel.wait ?? 'all', approval: null };
  },
  write: ({ wait, branches }, writeSteps) => ({
    parallel: presentFields({ wait: unless(wait, 'all'), branches: writeSteps(branches) }),
  }),
  children: ({ branches }) => [{ branch: 'parallel', steps: branches }],
};
