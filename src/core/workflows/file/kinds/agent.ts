import { asJson } from '../reader.ts';
import { printTemplate } from '../template.ts';
import { presentFields } from '../write-fields.ts';
import { type StepKindRules, timedFields } from './step-kind.ts';

export const agentKind: StepKindRules<'agent'> = {
  keys: ['agent'],
  takes: ['stdin', ...timedFields, 'idempotency_key'],
  // The task keeps a record under the key of the step, so a repeated call finds it.
  effectOf: () => 'idempotent',
  read({ reader }, { agent: task }) {
    if (!task) return null;
    return {
      kind: 'agent',
      agent: task.name === undefined ? null : reader.template(task.name),
      goal: reader.template(task.goal),
      schema: asJson(task.schema),
      maxUsd: task.max_usd ?? null,
      approval: null,
    };
  },
  write: ({ agent, goal, schema, maxUsd }) => ({
    agent: presentFields({
      name: agent && printTemplate(agent),
      goal: printTemplate(goal),
      schema,
      max_usd: maxUsd,
    }),
  }),
  collect({ agent, goal }, to) {
    to.text('agent', agent);
    to.text('agent', goal);
  },
  summarize: ({ goal }) => printTemplate(goal),
};
