import { asJson } from '../reader.ts';
import { parseValue } from '../value-template.ts';
import { writeValues } from '../write-fields.ts';
import { type StepKindRules, timedFields } from './step-kind.ts';

export const workflowKind: StepKindRules<'workflow'> = {
  keys: ['workflow'],
  takes: ['workflow_args', ...timedFields],
  effectOf: () => 'idempotent',
  read({ reader }, { workflow: file = '', workflow_args: args = {} }) {
    const values = Object.entries(args).map(
      ([key, value]) => [key, parseValue(asJson(value), reader.names)] as const,
    );
    return { kind: 'workflow', file, args: Object.fromEntries(values), approval: null };
  },
  write: ({ file, args }) => ({ workflow: file, workflow_args: writeValues(args) }),
  collect({ args }, to) {
    for (const value of Object.values(args)) to.value('workflow_args', value);
  },
  summarize: ({ file }) => file,
};
