/**
 * Writes a definition as a readable file: fixed field order, no defaults, one spelling. Reading it back gives
 * the same definition.
 */
import { writeYaml } from '../../lib/yaml-document.ts';
import { printCondition } from './condition.ts';
import type {
  ArgDefinition,
  Retry,
  Step,
  StepKind,
  Template,
  WorkflowDefinition,
  YesNoGate,
} from './definition.ts';
import { printDuration } from './duration.ts';
import { printRef } from './refs.ts';
import { defaultEffect, kindRules } from './step-kinds.ts';
import { printTemplate } from './template.ts';
import { printValue } from './value-template.ts';
import {
  presentFields,
  unless,
  type WriteSteps,
  type WrittenFields,
  writeDuration,
  writeWaiting,
} from './write-fields.ts';

const text = (template: Template | null): string | null => template && printTemplate(template);
function environment(env: Readonly<Record<string, Template>>): WrittenFields | null {
  const entries = Object.entries(env).map(([name, template]) => [name, printTemplate(template)] as const);
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

function approval(gate: YesNoGate | null): unknown {
  if (!gate) return null;
  const { prompt, ...rest } = presentFields({
    prompt: printTemplate(gate.prompt),
    items: gate.items && printValue(gate.items),
    preview: text(gate.preview),
    initiated_by: gate.initiatedBy,
    ...writeWaiting(gate, writeSteps),
  });
  const short = Object.keys(rest).length === 0 && prompt !== 'required';
  return short ? prompt : { prompt, ...rest };
}

const retry = (rule: Retry): WrittenFields | null =>
  rule.attempts === 1 &&
  rule.backoff === 'fixed' &&
  rule.delayMs === 1000 &&
  rule.maxDelayMs === 30_000 &&
  !rule.jitter
    ? null
    : presentFields({
        max: rule.attempts,
        backoff: unless(rule.backoff, 'fixed'),
        delay_ms: unless(rule.delayMs, 1000),
        max_delay_ms: unless(rule.maxDelayMs, 30_000),
        jitter: unless(rule.jitter, false),
      });

function stepFields(step: Step): WrittenFields {
  const { stdin } = step;
  return presentFields({
    id: step.id,
    when: step.when && printCondition(step.when),
    ...kindRules<StepKind>(step.kind).write(step, writeSteps),
    approval: approval(step.approval),
    stdin: stdin && (stdin.kind === 'ref' ? printRef(stdin.ref) : printTemplate(stdin.template)),
    env: environment(step.env),
    cwd: text(step.cwd),
    timeout_ms: step.timeoutMs !== null && step.timeoutMs <= 2_147_483_647 ? step.timeoutMs : null,
    timeout: step.timeoutMs !== null && step.timeoutMs > 2_147_483_647 ? printDuration(step.timeoutMs) : null,
    retry: retry(step.retry),
    on_error: unless(step.onError, 'stop'),
    effect: unless(step.effect, defaultEffect(step)),
    idempotency_key: text(step.idempotencyKey),
  });
}

const writeSteps: WriteSteps = (steps) => steps.map(stepFields);

/** A default of `null` is a default, so it must not be dropped. */
const argument = (arg: ArgDefinition): WrittenFields => ({
  ...presentFields({ type: unless(arg.type, 'any'), description: arg.description, enum: arg.values }),
  ...(arg.default === undefined ? {} : { default: arg.default }),
});

/** Fields of the file, as `readWorkflowObject` takes them. */
export function writtenFields(definition: WorkflowDefinition): WrittenFields {
  const args = Object.entries(definition.args).map(([name, arg]) => [name, argument(arg)] as const);
  const limit = definition.costLimit;
  return presentFields({
    name: definition.name,
    description: definition.description,
    args: args.length > 0 ? Object.fromEntries(args) : null,
    extra_args: unless(definition.extraArgs, false),
    env: environment(definition.env),
    cwd: text(definition.cwd),
    timeout: writeDuration(definition.timeoutMs),
    cost_limit: limit && { max_usd: limit.maxUsd, action: limit.action },
    steps: writeSteps(definition.steps),
  });
}

export const stringifyDefinition = (definition: WorkflowDefinition): string =>
  writeYaml(writtenFields(definition));
