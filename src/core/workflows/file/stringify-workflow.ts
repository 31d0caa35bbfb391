/**
 * Writes a definition as a readable file: fixed field order, no defaults, one spelling. Reading it back gives
 * the same definition.
 */
import { writeYaml } from '../../lib/yaml-document.ts';
import { printCondition } from './condition.ts';
import type {
  ApprovalGate,
  ArgDefinition,
  InputGate,
  Outcome,
  Retry,
  Step,
  Template,
  ValueTemplate,
  WorkflowDefinition,
} from './definition.ts';
import { defaultExpiryMs, printDuration } from './duration.ts';
import { pipelineEffect } from './pipeline-stages.ts';
import { defaultEffect } from './read-kind.ts';
import { printRef } from './refs.ts';
import { printTemplate } from './template.ts';
import { printValue } from './value-template.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Drops fields that are `undefined` or `null`. */
const told = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

const text = (template: Template | null): string | null => template && printTemplate(template);
const unless = <T>(value: T, otherwise: T): T | null => (value === otherwise ? null : value);
const duration = (ms: number | null): string | null => (ms === null ? null : printDuration(ms));

function environment(env: Readonly<Record<string, Template>>): Fields | null {
  const entries = Object.entries(env).map(([name, template]) => [name, printTemplate(template)] as const);
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

function values(args: Readonly<Record<string, ValueTemplate>>): Fields | null {
  const entries = Object.entries(args).map(([name, value]) => [name, printValue(value)] as const);
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

function outcome({ steps, then }: Outcome, otherwise: Outcome['then']): unknown {
  if (steps.length === 0) return unless(then, otherwise);
  const written = steps.map(stepFields);
  return then === otherwise ? written : { steps: written, then };
}

const waiting = (gate: ApprovalGate | InputGate): Fields => ({
  expires: duration(unless(gate.expiresMs, defaultExpiryMs)),
  remind: duration(gate.remindMs),
  approvers: gate.approvers.named.length > 0 ? gate.approvers.named : null,
  needed: unless(gate.approvers.needed, 1),
  require_different_approver: unless(gate.approvers.notInitiator, false),
  on_reject: outcome(gate.onReject, 'cancel'),
  on_timeout: outcome(gate.onTimeout, 'fail'),
});

function approval(gate: ApprovalGate | null): unknown {
  if (!gate) return null;
  const { prompt, ...rest } = told({
    prompt: printTemplate(gate.prompt),
    items: gate.items && printValue(gate.items),
    preview: text(gate.preview),
    initiated_by: gate.initiatedBy,
    ...waiting(gate),
  });
  const short = Object.keys(rest).length === 0 && prompt !== 'required';
  return short ? prompt : { prompt, ...rest };
}

const retry = (rule: Retry): Fields | null =>
  rule.attempts === 1 &&
  rule.backoff === 'fixed' &&
  rule.delayMs === 1000 &&
  rule.maxDelayMs === 30_000 &&
  !rule.jitter
    ? null
    : told({
        max: rule.attempts,
        backoff: unless(rule.backoff, 'fixed'),
        delay_ms: unless(rule.delayMs, 1000),
        max_delay_ms: unless(rule.maxDelayMs, 30_000),
        jitter: unless(rule.jitter, false),
      });

function loop(step: Extract<Step, { kind: 'for_each' }>): Fields {
  return {
    for_each: step.items.step === null ? `\${${step.items.arg}}` : printRef(step.items),
    item_var: unless(step.itemVar, 'item'),
    index_var: unless(step.indexVar, 'index'),
    batch_size: unless(step.batchSize, 1),
    pause_ms: unless(step.pauseMs, 0),
    steps: step.steps.map(stepFields),
  };
}

function llm(step: Extract<Step, { kind: 'llm-task' }>): Fields {
  return {
    'llm-task': told({
      prompt: printTemplate(step.prompt),
      input: step.input && printValue(step.input),
      schema: step.schema,
      provider: step.provider,
      model: step.model,
      temperature: step.temperature,
      max_tokens: step.maxTokens,
      max_usd: step.maxUsd,
      fallback: step.fallback.length > 0 ? step.fallback.map(stepFields) : null,
    }),
  };
}

function agent(step: Extract<Step, { kind: 'agent' }>): Fields {
  const goal = printTemplate(step.goal);
  return { agent: told({ name: text(step.agent), goal, schema: step.schema, max_usd: step.maxUsd }) };
}

function input(gate: InputGate): Fields {
  const asked = { prompt: printTemplate(gate.prompt), response_schema: gate.schema, defaults: gate.defaults };
  return { input: told({ ...asked, ...waiting(gate) }) };
}

function work(step: Step): Fields {
  switch (step.kind) {
    case 'run':
      return { run: printTemplate(step.shell) };
    case 'pipeline':
      return { pipeline: printTemplate(step.pipeline) };
    case 'agent':
      return agent(step);
    case 'llm-task':
      return llm(step);
    case 'workflow':
      return { workflow: step.file, workflow_args: values(step.args) };
    case 'approval':
      return {};
    case 'input':
      return input(step.input);
    case 'parallel':
      return { parallel: told({ wait: unless(step.wait, 'all'), branches: step.branches.map(stepFields) }) };
    case 'for_each':
      return loop(step);
    case 'sleep':
      return {
        sleep:
          step.until.kind === 'for' ? printDuration(step.until.ms) : { until: printTemplate(step.until.at) },
      };
    default:
      return step satisfies never;
  }
}

function stepFields(step: Step): Fields {
  const { stdin } = step;
  return told({
    id: step.id,
    when: step.when && printCondition(step.when),
    ...work(step),
    approval: approval(step.approval),
    stdin: stdin && (stdin.kind === 'ref' ? printRef(stdin.ref) : printTemplate(stdin.template)),
    env: environment(step.env),
    cwd: text(step.cwd),
    timeout_ms: step.timeoutMs !== null && step.timeoutMs <= 2_147_483_647 ? step.timeoutMs : null,
    timeout: step.timeoutMs !== null && step.timeoutMs > 2_147_483_647 ? printDuration(step.timeoutMs) : null,
    retry: retry(step.retry),
    on_error: unless(step.onError, 'stop'),
    effect: unless(
      step.effect,
      step.kind === 'pipeline' ? pipelineEffect(step.pipeline) : defaultEffect[step.kind],
    ),
    idempotency_key: text(step.idempotencyKey),
  });
}

/** A default of `null` is a default, so it must not be dropped. */
const argument = (arg: ArgDefinition): Fields => ({
  ...told({ type: unless(arg.type, 'any'), description: arg.description, enum: arg.values }),
  ...(arg.default === undefined ? {} : { default: arg.default }),
});

/** Fields of the file, as `readWorkflowObject` takes them. */
export function workflowFields(definition: WorkflowDefinition): Fields {
  const args = Object.entries(definition.args).map(([name, arg]) => [name, argument(arg)] as const);
  const limit = definition.costLimit;
  return told({
    name: definition.name,
    description: definition.description,
    args: args.length > 0 ? Object.fromEntries(args) : null,
    extra_args: unless(definition.extraArgs, false),
    env: environment(definition.env),
    cwd: text(definition.cwd),
    timeout: duration(definition.timeoutMs),
    cost_limit: limit && { max_usd: limit.maxUsd, action: limit.action },
    steps: definition.steps.map(stepFields),
  });
}

export const stringifyWorkflow = (definition: WorkflowDefinition): string =>
  writeYaml(workflowFields(definition));
