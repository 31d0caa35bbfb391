import { asJson } from '../reader.ts';
import { printTemplate } from '../template.ts';
import { parseValue, printValue } from '../value-template.ts';
import { presentFields } from '../write-fields.ts';
import { type StepKindRules, timedFields } from './step-kind.ts';

export const llmTaskKind: StepKindRules<'llm-task'> = {
  keys: ['llm_task'],
  takes: ['stdin', ...timedFields, 'idempotency_key'],
  containers: ['llm_task', 'llm-task', 'llmTask'],
  effectOf: () => 'idempotent',
  read({ reader, path, place, readSteps }, { llm_task: task }) {
    if (!task) return null;
    return {
      kind: 'llm-task',
      prompt: reader.template(task.prompt),
      input: task.input === undefined ? null : parseValue(asJson(task.input), reader.names),
      schema: asJson(task.schema),
      provider: task.provider ?? null,
      model: task.model ?? null,
      temperature: task.temperature ?? null,
      maxTokens: task.max_tokens ?? null,
      maxUsd: task.max_usd ?? null,
      fallback: task.fallback
        ? readSteps(task.fallback, [...place, 'llm_task', 'fallback'], `${path}.fallback`)
        : [],
      approval: null,
    };
  },
  write: (step, writeSteps) => ({
    'llm-task': presentFields({
      prompt: printTemplate(step.prompt),
      input: step.input && printValue(step.input),
      schema: step.schema,
      provider: step.provider,
      model: step.model,
      temperature: step.temperature,
      max_tokens: step.maxTokens,
      max_usd: step.maxUsd,
      fallback: step.fallback.length > 0 ? writeSteps(step.fallback) : null,
    }),
  }),
  collect({ prompt, input }, to) {
    to.text('llm_task', prompt);
    to.value('llm_task', input);
  },
  children: ({ fallback }) => [{ branch: 'fallback', steps: fallback }],
  schema: ({ schema }) => ({ value: schema, field: 'schema', name: 'schema' }),
  summarize: ({ prompt }) => printTemplate(prompt),
};
