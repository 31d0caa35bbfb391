/** Envelope of tool mode: one JSON object for every outcome (spec §3). `output` is empty at a pause. */

import type { AppError, ErrorCode } from '../../../contract/errors.ts';
import { englishText, type HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import type { Json, StepResult } from '../file/definition.ts';
import type { GateContent, Person, RunStatus } from './events.ts';

interface ApprovalRequest {
  readonly type: 'approval_request';
  readonly prompt: string;
  readonly items: readonly Json[];
  readonly preview?: string;
  readonly initiatedBy?: string;
  readonly requiredApprover?: string;
  readonly requireDifferentApprover?: boolean;
  readonly resumeToken: string;
  readonly approvalId?: string;
  /** `uncertain`: answer with done, repeat or cancel. */
  readonly kind?: 'uncertain';
}

interface InputRequest {
  readonly type: 'input_request';
  readonly prompt: string;
  readonly responseSchema: Json;
  readonly defaults?: Json;
  readonly subject?: Json;
  readonly resumeToken: string;
}

export type Envelope =
  | {
      readonly protocolVersion: 1;
      readonly ok: true;
      /** `waiting`: only for a time, `wakeAt` (ms since the epoch). */
      readonly status: 'ok' | 'needs_approval' | 'needs_input' | 'cancelled' | 'waiting';
      readonly output: readonly Json[];
      readonly requiresApproval: ApprovalRequest | null;
      readonly requiresInput: InputRequest | null;
      readonly runId?: string;
      readonly wakeAt?: number;
      /** Dry run: the only item of `output` is the plan. */
      readonly dryRun?: true;
    }
  | {
      readonly protocolVersion: 1;
      readonly ok: false;
      readonly error: {
        readonly type: 'parse_error' | 'runtime_error' | 'doctor_error';
        readonly message: string;
      };
      readonly runId?: string;
    };

export interface EnvelopeFacts {
  readonly run: string;
  readonly status: RunStatus;
  readonly message: HostText | null;
  readonly result: StepResult | null;
  readonly initiatedBy: Person;
  /** `shortId`: empty if only the token is valid. */
  readonly gate: { readonly content: GateContent; readonly token: string; readonly shortId: string } | null;
  readonly wakeAt: number | null;
}

/**
 * Items of a result: its JSON with an array spread, else the answer, else the unchanged text with its
 * newline.
 */
export function envelopeOutput(result: StepResult | null): readonly Json[] {
  if (!result) return [];
  if (result.json !== undefined) {
    return Array.isArray(result.json) ? (result.json as readonly Json[]) : [result.json];
  }
  if (result.response !== undefined) return [result.response];
  return result.stdout === undefined ? [] : [result.stdout];
}

function approvalRequest(view: EnvelopeFacts, gate: NonNullable<EnvelopeFacts['gate']>): ApprovalRequest {
  const { prompt, items, preview, approvers, kind } = gate.content;
  return {
    type: 'approval_request',
    prompt,
    items,
    ...(preview === null ? {} : { preview }),
    ...(view.initiatedBy === null ? {} : { initiatedBy: view.initiatedBy }),
    ...(approvers.named.length === 0 ? {} : { requiredApprover: approvers.named.join(', ') }),
    ...(approvers.notInitiator ? { requireDifferentApprover: true } : {}),
    resumeToken: gate.token,
    ...(gate.shortId === '' ? {} : { approvalId: gate.shortId }),
    ...(kind === 'uncertain' ? { kind } : {}),
  };
}

function inputRequest(gate: NonNullable<EnvelopeFacts['gate']>): InputRequest {
  const { prompt, schema, defaults, subject } = gate.content;
  return {
    type: 'input_request',
    prompt,
    responseSchema: schema,
    ...(defaults === null ? {} : { defaults }),
    ...(subject === null ? {} : { subject }),
    resumeToken: gate.token,
  };
}

export function envelopeOf(view: EnvelopeFacts): Envelope {
  const base = {
    protocolVersion: 1,
    ok: true,
    output: [],
    requiresApproval: null,
    requiresInput: null,
  } as const;
  const runId = view.run;
  if (view.status === 'failed') {
    const message = englishText(view.message ?? say('workflows.runFailed'));
    return { protocolVersion: 1, ok: false, error: { type: 'runtime_error', message }, runId };
  }
  if (view.status === 'ok') return { ...base, status: 'ok', output: envelopeOutput(view.result), runId };
  if (view.status === 'cancelled') return { ...base, status: 'cancelled', runId };
  if (view.gate?.content.kind === 'input') {
    return { ...base, status: 'needs_input', requiresInput: inputRequest(view.gate), runId };
  }
  if (view.gate) {
    return { ...base, status: 'needs_approval', requiresApproval: approvalRequest(view, view.gate), runId };
  }
  return { ...base, status: 'waiting', runId, ...(view.wakeAt === null ? {} : { wakeAt: view.wakeAt }) };
}

/** Error codes that the caller caused; all others are runtime errors. */
const callers: readonly ErrorCode[] = [
  'invalid_input',
  'forbidden',
  'not_found',
  'unauthenticated',
  'unsupported',
];

export function errorEnvelope(error: AppError): Envelope {
  const type = callers.includes(error.code) ? 'parse_error' : 'runtime_error';
  return { protocolVersion: 1, ok: false, error: { type, message: error.message } };
}

/** Error codes of a refused answer: too late, changed on its way, or tried too often. */
const answerers: readonly ErrorCode[] = [...callers, 'conflict', 'untrusted', 'rate_limited'];

/** A refused answer is a `parse_error`; only a failure of the engine itself is a `runtime_error`. */
export function refusedEnvelope(error: AppError): Envelope {
  const type = answerers.includes(error.code) ? 'parse_error' : 'runtime_error';
  return { protocolVersion: 1, ok: false, error: { type, message: error.message } };
}

/** 0 also for a pause; 1 for a runtime error; 2 for an error of the caller. */
export const envelopeExitCode = (envelope: Envelope): 0 | 1 | 2 =>
  envelope.ok ? 0 : envelope.error.type === 'parse_error' ? 2 : 1;
