/** Reads the work of a step: its kind and the fields of that kind. */
import type { EffectClass, Step, StepKind } from './definition.ts';
import type { StepFields } from './fields.ts';
import { isName, variablePattern } from './names.ts';
import { durationMs, type ReadSteps, readApproval, readInput } from './read-gate.ts';
import { asJson, type Place, type Reader } from './reader.ts';
import { parseRef } from './refs.ts';
import { parseValue } from './value-template.ts';

export interface StepContext {
  readonly reader: Reader;
  readonly path: string;
  readonly place: Place;
  readonly readSteps: ReadSteps;
}

type PartOf<Kind extends StepKind> = Omit<Extract<Step, { kind: Kind }>, BaseKey>;
type BaseKey =
  | 'id'
  | 'path'
  | 'when'
  | 'retry'
  | 'timeoutMs'
  | 'onError'
  | 'effect'
  | 'idempotencyKey'
  | 'stdin'
  | 'env'
  | 'cwd';
/** Fields of one kind; the step reader adds the common ones. */
export type StepPart = { [Kind in StepKind]: PartOf<Kind> }[StepKind];

/** A step of kind `approval` has no work. */
type WorkPart = Exclude<StepPart, { kind: 'approval' }>;

const workKeys = [
  'run',
  'command',
  'pipeline',
  'agent',
  'llm_task',
  'workflow',
  'input',
  'parallel',
  'for_each',
  'sleep',
] as const;

export const defaultEffect: Readonly<Record<StepKind, EffectClass>> = {
  run: 'once',
  // Unless its stages are known to do less.
  pipeline: 'once',
  // These keep a record under the key of the step, so a repeated call finds it.
  agent: 'idempotent',
  workflow: 'idempotent',
  'llm-task': 'idempotent',
  approval: 'pure',
  input: 'pure',
  parallel: 'pure',
  for_each: 'pure',
  sleep: 'pure',
};

function loopItems(context: StepContext, text: string): Extract<Step, { kind: 'for_each' }>['items'] {
  const { reader, path, place } = context;
  const arg = /^\$\{([^{}]+)\}$/.exec(text.trim())?.[1];
  if (arg !== undefined && reader.names.args.has(arg)) return { step: null, arg };
  const ref = parseRef(text);
  if (ref) return ref;
  reader.error(
    'wrong-reference',
    path,
    [...place, 'for_each'],
    `Step "${path}": for_each needs a reference to a list, such as $list.json.`,
  );
  return { step: '', path: [] };
}

function loop(context: StepContext, fields: StepFields): WorkPart {
  const { reader, path, place } = context;
  const itemVar = fields.item_var ?? 'item';
  const indexVar = fields.index_var ?? 'index';
  for (const variable of [itemVar, indexVar])
    if (!isName(variablePattern, variable) || reader.names.steps.has(variable))
      reader.error(
        'wrong-name',
        path,
        place,
        `Step "${path}": "${variable}" cannot be the name of a variable.`,
      );
  if (fields.steps === undefined)
    reader.error('no-steps', path, place, `Step "${path}" loops over nothing to do: steps are missing.`);
  return {
    kind: 'for_each',
    items: loopItems(context, fields.for_each ?? ''),
    steps: context.readSteps(fields.steps ?? [], [...place, 'steps'], `${path}[]`),
    itemVar,
    indexVar,
    batchSize: fields.batch_size ?? 1,
    pauseMs: fields.pause_ms ?? 0,
    approval: null,
  };
}

function llm(
  { reader, path, place, readSteps }: StepContext,
  task: NonNullable<StepFields['llm_task']>,
): WorkPart {
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
}

function sleep({ reader }: StepContext, value: NonNullable<StepFields['sleep']>): WorkPart {
  const until =
    typeof value === 'object'
      ? ({ kind: 'time', at: reader.template(value.until) } as const)
      : ({ kind: 'for', ms: durationMs(value) ?? 1 } as const);
  return { kind: 'sleep', until, approval: null };
}

function workflow({ reader }: StepContext, file: string, args: StepFields['workflow_args']): WorkPart {
  const values = Object.entries(args ?? {}).map(
    ([key, value]) => [key, parseValue(asJson(value), reader.names)] as const,
  );
  return { kind: 'workflow', file, args: Object.fromEntries(values), approval: null };
}

function agent({ reader }: StepContext, task: NonNullable<StepFields['agent']>): WorkPart {
  return {
    kind: 'agent',
    agent: task.name === undefined ? null : reader.template(task.name),
    goal: reader.template(task.goal),
    schema: asJson(task.schema),
    maxUsd: task.max_usd ?? null,
    approval: null,
  };
}

/** The work of the step; `null` if it has none and is only a gate. */
function workOf(context: StepContext, fields: StepFields): WorkPart | null {
  const { reader, path, place, readSteps } = context;
  const shell = fields.run ?? fields.command;
  if (shell !== undefined) return { kind: 'run', shell: reader.template(shell), approval: null };
  if (fields.pipeline !== undefined)
    return { kind: 'pipeline', pipeline: reader.template(fields.pipeline), approval: null };
  if (fields.agent) return agent(context, fields.agent);
  if (fields.llm_task) return llm(context, fields.llm_task);
  if (fields.workflow !== undefined) return workflow(context, fields.workflow, fields.workflow_args);
  if (fields.for_each !== undefined) return loop(context, fields);
  if (fields.sleep !== undefined) return sleep(context, fields.sleep);
  if (fields.input) {
    const input = readInput({ ...context, place: [...place, 'input'] }, fields.input);
    return { kind: 'input', input, approval: null };
  }
  if (fields.parallel) {
    const branches = readSteps(fields.parallel.branches, [...place, 'parallel', 'branches'], path);
    return { kind: 'parallel', branches, wait: fields.parallel.wait ?? 'all', approval: null };
  }
  return null;
}

export function readKind(context: StepContext, fields: StepFields): StepPart | null {
  const { reader, path, place } = context;
  const given = workKeys.filter((key) => fields[key] !== undefined);
  if (given.length > 1) {
    reader.error(
      'two-kinds',
      path,
      [...place, given[1] ?? ''],
      `Step "${path}" can only define one of ${given.join(', ')}.`,
    );
    return null;
  }
  const work = workOf(context, fields);
  const approval =
    fields.approval === undefined
      ? null
      : readApproval({ ...context, place: [...place, 'approval'] }, fields.id, fields.approval);
  if (work) {
    if (approval && work.kind === 'input')
      reader.error('two-kinds', path, place, `Step "${path}" can only define one of input, approval.`);
    return { ...work, approval };
  }
  if (approval) return { kind: 'approval', approval };
  if (fields.approval === undefined)
    reader.error(
      'no-kind',
      path,
      place,
      `Step "${path}" does nothing.`,
      'Give it one of run, pipeline, agent, llm-task, workflow, input, approval, parallel, for_each, sleep.',
    );
  return null;
}
