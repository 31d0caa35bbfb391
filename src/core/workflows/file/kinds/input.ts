import { readInput } from '../read-gate.ts';
import { printTemplate } from '../template.ts';
import { presentFields, writeWaiting } from '../write-fields.ts';
import type { StepKindRules } from './step-kind.ts';

export const inputKind: StepKindRules<'input'> = {
  keys: ['input'],
  takes: ['stdin'],
  containers: ['input'],
  effectOf: () => 'pure',
  read(context, { input: fields }) {
    if (!fields) return null;
    const input = readInput({ ...context, place: [...context.place, 'input'] }, fields);
    return { kind: 'input', input, approval: null };
  },
  write({ input }, writeSteps) {
    const asked = {
      prompt: printTemplate(input.prompt),
      response_schema: input.schema,
      defaults: input.defaults,
    };
    return { input: presentFields({ ...asked, ...writeWaiting(input, writeSteps) }) };
  },
  collect: ({ input }, to) => to.text('input', input.prompt),
  schema: ({ input }) => ({ value: input.schema, field: 'input', name: 'response_schema' }),
};
