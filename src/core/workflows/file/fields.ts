/** Schemas of the fields of a workflow file, each created when a file first uses the field. */
import { z } from 'zod';
import { once } from '../../../contract/once.ts';
import type { FieldGroup, WorkflowField } from '../../../contract/workflow-fields.ts';
import { longestMs, parseDuration } from './duration.ts';
import { type Later, type Optional, strict } from './strict-fields.ts';

const shortText = once(() => z.string().max(4000));
const longText = once(() => z.string().max(200_000));
const name = once(() => z.string().min(1).max(200));
const count = once(() => z.int().min(1).max(1_000_000));
const milliseconds = once(() => z.int().min(1).max(2_147_483_647));
const duration = once(() =>
  z.union([z.int().min(1).max(longestMs), z.string().refine((text) => parseDuration(text) !== null)]),
);
const scalarText = () => z.union([z.string(), z.number(), z.boolean()]).transform(String);
const environment = once(() => z.record(z.string(), scalarText()));
const steps = once(() => z.array(z.unknown()).min(1).max(1000));
const usd = once(() => z.number().positive().max(1_000_000));
const anything = once(() => z.unknown());
const object = once(() => z.record(z.string(), z.unknown()));
const word = once(() => z.string());
const yesOrNo = once(() => z.boolean());
const condition = once(() => z.union([z.string(), z.boolean()]));
const pause = (longest: number) => () => z.int().min(0).max(longest);

/** A schema for each field of the group in the contract, without those named. */
type FieldsOf<Group extends FieldGroup, Named extends string = never> = Readonly<
  Record<Exclude<WorkflowField<Group>, Named>, Later>
>;

export const argFields = strict({}, {
  type: () => z.enum(['any', 'string', 'number', 'integer', 'boolean', 'object', 'array']),
  description: shortText,
  default: anything,
  required: yesOrNo,
  enum: () => z.array(z.unknown()).min(1).max(200),
} satisfies FieldsOf<'arg'>);

const costLimit = strict({ max_usd: usd }, { action: () => z.enum(['warn', 'stop']) } satisfies FieldsOf<
  'cost_limit',
  'max_usd'
>);

export const fileFields = strict({ steps }, {
  name,
  description: shortText,
  args: object,
  extra_args: yesOrNo,
  env: environment,
  cwd: shortText,
  timeout: duration,
  timeout_ms: milliseconds,
  cost_limit: costLimit,
} satisfies FieldsOf<'file', 'steps'>);

const ending = once(() => z.enum(['cancel', 'continue', 'fail']));
// biome-ignore lint/suspicious/noThenProperty: the word of the file; a schema is nothing to be awaited
const stepsAndEnding = strict({ steps }, { then: ending } satisfies FieldsOf<'outcome', 'steps'>);
const outcome = once(() => z.union([ending(), steps(), stepsAndEnding()]));

const waiting = {
  expires: duration,
  remind: duration,
  required_approver: name,
  approvers: () => z.array(name()).min(1).max(100),
  needed: count,
  require_different_approver: yesOrNo,
  on_reject: outcome,
  on_timeout: outcome,
} satisfies FieldsOf<'gate'>;
export type WaitingFields = Optional<typeof waiting>;

export const approvalFields = strict({}, {
  prompt: shortText,
  items: anything,
  preview: longText,
  initiated_by: name,
  ...waiting,
} satisfies FieldsOf<'approval' | 'gate'>);

const inputFields = strict({ prompt: shortText }, {
  response_schema: anything,
  defaults: anything,
  ...waiting,
} satisfies FieldsOf<'input' | 'gate', 'prompt'>);

const agentFields = strict({ goal: longText }, { name, schema: anything, max_usd: usd } satisfies FieldsOf<
  'agent',
  'goal'
>);

const llmFields = strict({ prompt: longText }, {
  input: anything,
  schema: anything,
  provider: name,
  model: name,
  temperature: () => z.number().min(0).max(2),
  max_tokens: count,
  max_usd: usd,
  fallback: steps,
} satisfies FieldsOf<'llm_task', 'prompt'>);

const parallelFields = strict({ branches: steps }, {
  wait: () => z.enum(['all', 'any']),
  timeout_ms: milliseconds,
} satisfies FieldsOf<'parallel', 'branches'>);

const retryFields = strict({ max: () => z.int().min(1).max(100) }, {
  backoff: () => z.enum(['fixed', 'exponential']),
  delay_ms: pause(longestMs),
  max_delay_ms: pause(longestMs),
  jitter: yesOrNo,
} satisfies FieldsOf<'retry', 'max'>);

const until = strict({ until: shortText } satisfies FieldsOf<'sleep'>, {});

export const stepFields = strict({ id: word }, {
  run: longText,
  command: longText,
  pipeline: longText,
  agent: agentFields,
  llm_task: llmFields,
  workflow: name,
  workflow_args: object,
  approval: anything,
  input: inputFields,
  parallel: parallelFields,
  for_each: word,
  steps,
  item_var: word,
  index_var: word,
  batch_size: count,
  pause_ms: pause(2_147_483_647),
  sleep: () => z.union([duration(), until()]),
  stdin: longText,
  env: environment,
  cwd: shortText,
  when: condition,
  condition,
  timeout: duration,
  timeout_ms: milliseconds,
  retry: retryFields,
  on_error: () => z.enum(['stop', 'continue', 'skip_rest']),
  effect: () => z.enum(['pure', 'idempotent', 'once']),
  idempotency_key: shortText,
} satisfies FieldsOf<'step', 'id'>);

export type FileFields = z.output<ReturnType<typeof fileFields>>;
export type StepFields = z.output<ReturnType<typeof stepFields>>;
export type ApprovalFields = z.output<ReturnType<typeof approvalFields>>;
