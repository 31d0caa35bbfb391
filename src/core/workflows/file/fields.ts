/**
 * The fields of a workflow file as zod schemas, strict at every level: a field that does not exist is an error with the
 * name that was probably meant, because one typing error must never remove a gate. `requiredApprover` reads as
 * `required_approver`.
 */
import { z } from 'zod';
import { didYouMean } from '../../lib/did-you-mean.ts';
import { longestMs, parseDuration } from './duration.ts';

export const snakeOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Keys in the other spelling, or with a hyphen, under their one name; a key given twice stays and is refused. */
function oneSpelling(known: ReadonlySet<string>, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    const snake = snakeOf(key).replaceAll('-', '_');
    const name = !known.has(key) && known.has(snake) && !Object.hasOwn(value, snake) ? snake : key;
    return [name, item] as const;
  });
  return Object.fromEntries(entries);
}

function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  const known = new Set(names);
  const object = z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const told = (issue.keys as string[]).map((key) => {
        const meant = didYouMean(snakeOf(key), names);
        return `"${key}"${meant === null ? '' : ` (did you mean "${meant}"?)`}`;
      });
      return `Unknown field ${told.join(', ')}`;
    },
  });
  return z.preprocess((value) => oneSpelling(known, value), object);
}

const shortText = z.string().max(4000);
const longText = z.string().max(200_000);
const name = z.string().min(1).max(200);
const count = z.int().min(1).max(1_000_000);
const milliseconds = z.int().min(1).max(2_147_483_647);
const duration = z.union([
  z.int().min(1).max(longestMs),
  z.string().refine((text) => parseDuration(text) !== null, 'must be a time such as 30s, 15m, 2h or 7d'),
]);
const scalarText = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const environment = z.record(z.string(), scalarText);
const steps = z.array(z.unknown()).min(1).max(1000);
const usd = z.number().positive().max(1_000_000);

export const argFields = strict({
  type: z.enum(['any', 'string', 'number', 'integer', 'boolean', 'object', 'array']).optional(),
  description: shortText.optional(),
  default: z.unknown().optional(),
  required: z.boolean().optional(),
  enum: z.array(z.unknown()).min(1).max(200).optional(),
});

export const fileFields = strict({
  name: name.optional(),
  description: shortText.optional(),
  args: z.record(z.string(), z.unknown()).optional(),
  extra_args: z.boolean().optional(),
  env: environment.optional(),
  cwd: shortText.optional(),
  timeout: duration.optional(),
  timeout_ms: milliseconds.optional(),
  cost_limit: strict({ max_usd: usd, action: z.enum(['warn', 'stop']).optional() }).optional(),
  steps,
});

const outcome = z.union([
  z.enum(['cancel', 'continue', 'fail']),
  z.array(z.unknown()).min(1).max(1000),
  // biome-ignore lint/suspicious/noThenProperty: the word of the file; a schema is nothing to be awaited
  strict({ steps, then: z.enum(['cancel', 'continue', 'fail']).optional() }),
]);

const waiting = {
  expires: duration.optional(),
  remind: duration.optional(),
  required_approver: name.optional(),
  approvers: z.array(name).min(1).max(100).optional(),
  needed: count.optional(),
  require_different_approver: z.boolean().optional(),
  on_reject: outcome.optional(),
  on_timeout: outcome.optional(),
};
export type WaitingFields = { [Key in keyof typeof waiting]?: z.output<(typeof waiting)[Key]> };

export const approvalFields = strict({
  prompt: shortText.optional(),
  items: z.unknown().optional(),
  preview: longText.optional(),
  initiated_by: name.optional(),
  ...waiting,
});

export const inputFields = strict({
  prompt: shortText,
  response_schema: z.unknown().optional(),
  defaults: z.unknown().optional(),
  ...waiting,
});

const agentFields = strict({
  name: name.optional(),
  goal: longText,
  schema: z.unknown().optional(),
  max_usd: usd.optional(),
});

const llmFields = strict({
  prompt: longText,
  input: z.unknown().optional(),
  schema: z.unknown().optional(),
  provider: name.optional(),
  model: name.optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: count.optional(),
  max_usd: usd.optional(),
  fallback: steps.optional(),
});

export const stepFields = strict({
  id: z.string(),
  run: longText.optional(),
  command: longText.optional(),
  pipeline: longText.optional(),
  agent: agentFields.optional(),
  llm_task: llmFields.optional(),
  workflow: name.optional(),
  workflow_args: z.record(z.string(), z.unknown()).optional(),
  approval: z.unknown().optional(),
  input: inputFields.optional(),
  parallel: strict({
    branches: steps,
    wait: z.enum(['all', 'any']).optional(),
    timeout_ms: milliseconds.optional(),
  }).optional(),
  for_each: z.string().optional(),
  steps: steps.optional(),
  item_var: z.string().optional(),
  index_var: z.string().optional(),
  batch_size: count.optional(),
  pause_ms: z.int().min(0).max(2_147_483_647).optional(),
  sleep: z.union([duration, strict({ until: shortText })]).optional(),
  stdin: longText.optional(),
  env: environment.optional(),
  cwd: shortText.optional(),
  when: z.union([z.string(), z.boolean()]).optional(),
  condition: z.union([z.string(), z.boolean()]).optional(),
  timeout: duration.optional(),
  timeout_ms: milliseconds.optional(),
  retry: strict({
    max: z.int().min(1).max(100),
    backoff: z.enum(['fixed', 'exponential']).optional(),
    delay_ms: z.int().min(0).max(longestMs).optional(),
    max_delay_ms: z.int().min(0).max(longestMs).optional(),
    jitter: z.boolean().optional(),
  }).optional(),
  on_error: z.enum(['stop', 'continue', 'skip_rest']).optional(),
  effect: z.enum(['pure', 'idempotent', 'once']).optional(),
  idempotency_key: shortText.optional(),
});

export type FileFields = z.output<typeof fileFields>;
export type StepFields = z.output<typeof stepFields>;
export type ApprovalFields = z.output<typeof approvalFields>;
