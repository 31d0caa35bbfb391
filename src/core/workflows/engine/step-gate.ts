/** Handles the gate of a step: what approvers see, and what follows from their answer. */

import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { assertNever } from '../../lib/assert.ts';
import type { InputGate, Json, Outcome, Step, StepResult, YesNoGate } from '../file/definition.ts';
import { plainPrompt } from '../file/read-gate.ts';
import { renderTemplate } from '../file/template.ts';
import { renderValue, stdinValue } from '../file/value-template.ts';
import { stringifyExact } from '../pipeline/exact-json.ts';
import type { GateContent } from './events.ts';
import { gateFor, gateWakeAt, notApproved, shownPreview, tendGate } from './gates.ts';
import { withParsed } from './kept-result.ts';
import { type RunContext, type StepFrame, scopeOf, stepFailure, type Walked } from './run-context.ts';
import type { GateState } from './run-state.ts';

/** Runs a list of steps below this path. Passed in, because lists contain gates and gates contain lists. */
export type WalkList = (run: RunContext, frame: StepFrame, steps: readonly Step[]) => Promise<Walked>;

const asList = (json: Json): readonly Json[] =>
  Array.isArray(json) ? (json as readonly Json[]) : json === null ? [] : [json];

const isFields = (json: unknown): json is { readonly [name: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const previewText = (json: Json): string => (typeof json === 'string' ? json : stringifyExact(json, 2));

/** A step may say what is to be approved, never by whom. */
function saidByStep(result: StepResult | null): {
  prompt?: string;
  items?: readonly Json[];
  preview?: string;
} {
  const said = isFields(result?.json) ? result.json.requiresApproval : undefined;
  if (!isFields(said)) return {};
  return {
    ...(typeof said.prompt === 'string' && said.prompt.trim() !== '' ? { prompt: said.prompt } : {}),
    ...(Array.isArray(said.items) ? { items: said.items as readonly Json[] } : {}),
    ...(said.preview === undefined ? {} : { preview: previewText(said.preview) }),
  };
}

/** The question of the file comes first; text from the step follows it, marked as the step's own (T9). */
function promptWith(own: string, id: string, said: string | undefined): string {
  if (said === undefined) return own;
  return own === plainPrompt(id) ? said : `${own}\n\nThe step says: ${JSON.stringify(said)}`;
}

function approvalContent(
  frame: StepFrame,
  { id }: Step,
  gate: YesNoGate | InputGate,
  result: StepResult | null,
): GateContent {
  const scope = scopeOf(frame);
  const said = saidByStep(result);
  const own = 'items' in gate ? gate : { items: null, preview: null };
  const items = asList(own.items ? renderValue(own.items, scope) : (result?.json ?? null));
  return {
    kind: 'approval',
    prompt: promptWith(renderTemplate(gate.prompt, scope), id, said.prompt),
    items: said.items ?? items,
    preview: shownPreview(
      said.preview ?? (own.preview ? renderTemplate(own.preview, scope) : result?.stdout?.trim()),
    ),
    schema: null,
    defaults: null,
    subject: null,
    approvers: gate.approvers,
  };
}

/** An `approval` step without work of its own shows its input and passes it on as its result. */
function handed(frame: StepFrame, step: Step): StepResult | null {
  if (step.kind !== 'approval' || step.stdin === null) return null;
  const value = stdinValue(step.stdin, scopeOf(frame));
  if (value === undefined) return null;
  return typeof value === 'string' ? withParsed(value) : { stdout: stringifyExact(value), json: value };
}

function inputContent(frame: StepFrame, step: Step, gate: InputGate): GateContent {
  const scope = scopeOf(frame);
  const subject = step.stdin ? (stdinValue(step.stdin, scope) ?? null) : null;
  return {
    kind: 'input',
    prompt: renderTemplate(gate.prompt, scope),
    items: [],
    preview: null,
    schema: gate.schema,
    defaults: gate.defaults,
    subject,
    approvers: gate.approvers,
  };
}

const named = (run: RunContext, gate: GateState): StepResult => ({
  ...(gate.by === null ? {} : { approvedBy: gate.by }),
  ...(gate.reason === '' ? {} : { reason: gate.reason }),
  ...(run.log.state.initiatedBy === null ? {} : { initiatedBy: run.log.state.initiatedBy }),
});

async function follow(
  run: RunContext,
  frame: StepFrame,
  gate: GateState,
  outcome: Outcome,
  refused: { readonly result: StepResult; readonly message: HostText },
  walkList: WalkList,
): Promise<Walked> {
  const failed = run.log.state.steps.get(gate.path)?.failed;
  if (failed) return stepFailure(failed.message, failed.code);
  if (outcome.steps.length > 0) {
    const walked = await walkList(run, frame, outcome.steps);
    if (walked.type !== 'done' && walked.type !== 'skip_rest') return walked;
  }
  switch (outcome.then) {
    case 'continue':
      return { type: 'done', result: refused.result };
    case 'cancel':
      return { type: 'cancelled', message: refused.message };
    case 'fail': {
      const { message } = refused;
      const code = gate.decision === 'timeout' ? 'timeout' : 'failed';
      run.log.write([{ type: 'step_failed', path: gate.path, code, message, retryAt: null }]);
      return stepFailure(message, code);
    }
    default:
      return assertNever(outcome.then);
  }
}

/**
 * Opens the gate of this step or reads its answer. `worked`: the result of the step's own work, or `null` if
 * it had none.
 */
export async function passGate(
  run: RunContext,
  frame: StepFrame,
  step: Step,
  place: string,
  worked: StepResult | null,
  walkList: WalkList,
): Promise<Walked> {
  const asks = step.kind === 'input' ? step.input : step.approval;
  const result = worked ?? handed(frame, step);
  if (!asks) return { type: 'done', result };
  const content = (): GateContent =>
    step.kind === 'input'
      ? inputContent(frame, step, step.input)
      : approvalContent(frame, step, asks, result);
  const { expiresMs, remindMs } = asks;
  const gate = gateFor(run, {
    path: place,
    slot: step.kind === 'input' ? 'input' : 'approval',
    content,
    expiresMs,
    remindMs,
  });
  tendGate(run, gate);
  const before: StepResult = { ...result, ...named(run, gate) };
  switch (gate.decision) {
    case null:
      return { type: 'parked', wakeAt: gateWakeAt(gate) };
    case 'approve':
      return { type: 'done', result: { ...before, approved: true } };
    case 'answer':
      return { type: 'done', result: { ...before, subject: gate.content.subject, response: gate.response } };
    case 'reject': {
      const message = notApproved(step.id, gate);
      const refused = { result: { ...before, approved: false }, message };
      // The reject branch may read the reason.
      frame.results.set(step.id, refused.result);
      return follow(run, frame, gate, asks.onReject, refused, walkList);
    }
    case 'timeout': {
      const refused = {
        result: { ...before, approved: false },
        message: say('workflows.stepNotDecided', { step: step.id }),
      };
      return follow(run, frame, gate, asks.onTimeout, refused, walkList);
    }
    case 'withdrawn':
    case 'cancel':
    case 'done':
    case 'repeat':
      return { type: 'cancelled', message: null };
    default:
      return assertNever(gate.decision);
  }
}
