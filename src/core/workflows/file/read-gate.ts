/**
 * Reads the gates of a file: the question, the approvers, the expiry, and what follows a rejection or an
 * expiry.
 */
import { say } from '../../../language/say.ts';
import type { ApproverPolicy, InputGate, Outcome, Step, YesNoGate } from './definition.ts';
import { defaultExpiryMs, parseDuration } from './duration.ts';
import { type ApprovalFields, approvalFields, type StepFields, type WaitingFields } from './fields.ts';
import { fieldPart, inStep, stepPart } from './parts.ts';
import { asJson, type Reader, type SourcePlace } from './reader.ts';
import { parseValue } from './value-template.ts';

/** Reads the steps of a branch; passed in by the step reader, to avoid a cycle. */
export type ReadSteps = (values: readonly unknown[], place: SourcePlace, parent: string) => readonly Step[];

interface Context {
  readonly reader: Reader;
  readonly path: string;
  readonly place: SourcePlace;
  readonly readSteps: ReadSteps;
}

export const durationMs = (value: string | number | undefined): number | null =>
  typeof value === 'string' ? parseDuration(value) : (value ?? null);

type Then = Outcome['then'];

const outcome = (steps: readonly Step[], then: Then): Outcome => ({ steps, then });

function outcomeOf(
  context: Context,
  key: 'on_reject' | 'on_timeout',
  value: WaitingFields['on_reject'],
  otherwise: Then,
): Outcome {
  if (value === undefined) return outcome([], otherwise);
  if (typeof value === 'string') return outcome([], value);
  const parent = `${context.path}.${key}`;
  if (Array.isArray(value))
    return outcome(context.readSteps(value, [...context.place, key], parent), otherwise);
  const steps = context.readSteps(value.steps, [...context.place, key, 'steps'], parent);
  return outcome(steps, value.then ?? otherwise);
}

/** Removes the leading `@` of a chat mention. */
const bareName = (name: string): string => name.replace(/^@(?=.)/u, '');

function approversOf({ reader, path, place }: Context, fields: WaitingFields): ApproverPolicy {
  const one = fields.required_approver;
  if (one !== undefined && fields.approvers !== undefined)
    reader.error(
      'approvers-twice',
      path,
      place,
      say('workflowFiles.approversTwice', { part: stepPart(path) }),
    );
  const written = fields.approvers ?? (one === undefined ? [] : [one]);
  const named = [...new Set(written.map(bareName))];
  const needed = fields.needed ?? 1;
  if (named.length > 0 && needed > named.length)
    reader.error(
      'too-few-approvers',
      path,
      place,
      say('workflowFiles.tooFewApprovers', { part: stepPart(path), n: needed, people: named.length }),
      say('workflowFiles.nameDifferent', { n: needed }),
    );
  return { named, needed, notInitiator: fields.require_different_approver ?? false };
}

/** Default question of a step. */
export const plainPrompt = (id: string): string => `Approve ${id}?`;

function waitingOf(context: Context, prompt: string, fields: WaitingFields) {
  const { reader, path, place } = context;
  const expiresMs = durationMs(fields.expires) ?? defaultExpiryMs;
  const remindMs = durationMs(fields.remind);
  if (remindMs !== null && remindMs >= expiresMs)
    reader.error(
      'reminder-too-late',
      path,
      place,
      say('workflowFiles.reminderTooLate', { part: stepPart(path) }),
    );
  return {
    prompt: reader.template(prompt),
    expiresMs,
    remindMs,
    approvers: approversOf(context, fields),
    onReject: outcomeOf(context, 'on_reject', fields.on_reject, 'cancel'),
    onTimeout: outcomeOf(context, 'on_timeout', fields.on_timeout, 'fail'),
  };
}

function approvalFrom(context: Context, value: unknown): ApprovalFields | null {
  const { reader, path, place } = context;
  if (value === true || value === 'required') return {};
  if (typeof value === 'string') return { prompt: value };
  if (typeof value !== 'object') {
    const message = say('workflowFiles.approvalAsksNothing', { part: stepPart(path) });
    reader.error('no-approval', path, place, message, say('workflowFiles.writeQuestion'));
    return null;
  }
  return reader.parse(approvalFields(), value, place, path, fieldPart(stepPart(path), 'approval'));
}

/** `required` and `true` ask with the step's own preview: `Approve deploy?`. */
export function readApproval(context: Context, id: string, value: unknown): YesNoGate | null {
  const { reader, path, place } = context;
  const fields = approvalFrom(context, value);
  if (!fields) return null;
  if (fields.prompt !== undefined && fields.prompt.trim() === '')
    reader.error(
      'empty-approval',
      path,
      place,
      say('workflowFiles.approvalWithoutText', { part: stepPart(path) }),
      say('workflowFiles.writeApproval'),
    );
  return {
    ...waitingOf(context, fields.prompt ?? plainPrompt(id), fields),
    items: fields.items === undefined ? null : parseValue(asJson(fields.items), reader.names),
    preview: fields.preview === undefined ? null : reader.template(fields.preview),
    initiatedBy: fields.initiated_by ?? null,
  };
}

export function readInput(context: Context, fields: NonNullable<StepFields['input']>): InputGate {
  const { reader, path, place } = context;
  if (fields.prompt.trim() === '')
    reader.error('empty-input', path, place, say('workflowFiles.inputWithoutText', { part: stepPart(path) }));
  if (fields.on_reject !== undefined)
    reader.error('misplaced-field', path, place, inStep(path, say('workflowFiles.inputRejected')));
  if ((fields.needed ?? 1) > 1)
    reader.error(
      'impossible-gate',
      path,
      place,
      inStep(path, say('workflowFiles.inputShared')),
      say('workflowFiles.approveBehindInput'),
    );
  return {
    ...waitingOf(context, fields.prompt, fields),
    schema: asJson(fields.response_schema),
    defaults: asJson(fields.defaults),
  };
}
