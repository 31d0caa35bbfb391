import type { StepKindRules } from './step-kind.ts';

/** A step without work, which only asks; its gate is read and written with the gates of other steps. */
export const approvalKind: StepKindRules<'approval'> = {
  keys: [],
  takes: ['stdin'],
  effectOf: () => 'pure',
  read: () => null,
  write: () => ({}),
};
