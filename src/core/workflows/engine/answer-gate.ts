/**
 * Records the answer to a gate, for every entry point. The answer and the use of its token are one write,
 * which fails if either was used before. The pinned content hash must match the answered question.
 */
import { type AppError, appError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { cutCodePoints } from '../../lib/text.ts';
import { checkAgainst } from '../../loop/json-schema.ts';
import { sameJson } from '../../loop/same-json.ts';
import type { Json } from '../file/definition.ts';
import { type Actor, approverRefusal } from './approvers.ts';
import type { EnginePorts, GateRow, Journal } from './engine-ports.ts';
import type { RunEvent, Sha256, WorkflowGateDecision } from './events.ts';
import { contentHashOf, isPreviewCut, newToken, tokenHash } from './gates.ts';
import { type GateState, isFinished, type RunState } from './run-state.ts';

export type GateName =
  | { readonly token: string }
  /** For entry points that authenticate the person themselves, such as the approval centre. */
  | { readonly gate: string }
  /** Eight hex digits; only for the operator's own command line, which limits guesses. */
  | { readonly shortId: string };

export type GateReply =
  | { readonly type: 'approve' | 'done' | 'repeat' | 'cancel' }
  /** `reason`: truncated to 1,000 code points. */
  | { readonly type: 'reject'; readonly reason?: string }
  | { readonly type: 'respond'; readonly response: Json };

export interface Decision {
  readonly by: GateName;
  readonly actor: Actor;
  readonly answer: GateReply;
}

export interface DecidedGate {
  readonly run: string;
  readonly gate: string;
  /** `null` if more approvals are needed; `token` is then valid for the next approver. */
  readonly decision: WorkflowGateDecision | null;
  readonly token: string | null;
}

const refuse = (code: AppError['code'], message: HostMessage, hint: HostMessage) =>
  err(appError(code, message, { hint }));

const askAgain = say('workflows.listWaiting');

/** `null` if no gate has this name. */
export function findGate(
  journal: Pick<Journal, 'gate' | 'gateByShortId' | 'gateByToken'>,
  sha256: Sha256,
  by: GateName,
): GateRow | null {
  if ('gate' in by) return journal.gate(by.gate);
  if ('shortId' in by) return /^[0-9a-f]{8}$/.test(by.shortId) ? journal.gateByShortId(by.shortId) : null;
  const hash = tokenHash(sha256, by.token);
  return hash === null ? null : journal.gateByToken(hash);
}

function unknownGate(sha256: Sha256, by: GateName) {
  if ('gate' in by) return refuse('not_found', say('approvals.unknownQuestion'), askAgain);
  if ('shortId' in by) {
    const message = say('workflows.approvalIdNotFound', { shortId: by.shortId.slice(0, 64) });
    return refuse('not_found', message, askAgain);
  }
  if (tokenHash(sha256, by.token) === null)
    return refuse('invalid_input', say('workflows.invalidToken'), askAgain);
  const message = say('workflows.resumeStateNotFound');
  return refuse('not_found', message, askAgain);
}

function wanted(gate: GateState, answer: GateReply): Result<WorkflowGateDecision> {
  const { kind } = gate.content;
  const wrong = (what: HostMessage): Result<never> =>
    refuse('invalid_input', say('workflows.invalidAnswerKind', { what }), say('workflows.answerAsAsked'));
  if (kind === 'input')
    return answer.type === 'respond' ? fitting(gate, answer.response) : wrong(say('workflows.takesResponse'));
  if (kind === 'approval') {
    return answer.type === 'approve' || answer.type === 'reject'
      ? ok(answer.type)
      : wrong(say('workflows.takesYesOrNo'));
  }
  const known = answer.type === 'done' || answer.type === 'repeat' || answer.type === 'cancel';
  return known ? ok(answer.type) : wrong(say('workflows.takesOutcome'));
}

/** The response is never coerced: the next step sees exactly what the person answered. */
function fitting(gate: GateState, response: Json): Result<WorkflowGateDecision> {
  const { schema } = gate.content;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return ok('answer');
  const { value, issues } = checkAgainst(schema as Record<string, unknown>, structuredClone(response));
  const issue = issues[0];
  if (!issue && sameJson(value, response)) return ok('answer');
  const why = issue
    ? `'${issue.path.replace('(arguments)', 'response')}' ${issue.message}`
    : say('workflows.typeDiffers');
  return refuse('invalid_input', say('workflows.invalidResponse', { why }), say('workflows.answerAgain'));
}

function refusal(ports: EnginePorts, state: RunState, row: GateRow, gate: GateState): AppError | null {
  const conflict = (message: HostMessage): AppError => appError('conflict', message);
  if (row.decision !== null || gate.decision !== null) return conflict(say('workflows.decidedAlready'));
  if (isFinished(state.status) || state.cancelRequested) return conflict(say('workflows.runEnded'));
  if (gate.expiresAt !== null && ports.clock.now() >= gate.expiresAt) {
    return conflict(say('workflows.decisionExpired'));
  }
  const { id, path, content } = gate;
  const bound = { run: state.id, gate: id, path, definition: state.definition, content };
  if (contentHashOf(ports.sha256, bound) !== row.contentHash || gate.contentHash !== row.contentHash) {
    return fail('untrusted', 'workflows.proposalChanged');
  }
  return null;
}

export function decideGate(
  ports: EnginePorts,
  stateOf: (run: string) => RunState,
  asked: Decision,
): Result<DecidedGate> {
  const row = findGate(ports.journal, ports.sha256, asked.by);
  if (!row) return unknownGate(ports.sha256, asked.by);
  const state = stateOf(row.run);
  const gate = state.gates.get(row.id);
  if (!gate) return refuse('corrupt', say('workflows.unknownQuestion'), say('workflows.verifyRunLog'));
  const refused = refusal(ports, state, row, gate);
  if (refused) return err(refused);
  const { approvers } = gate.content;
  // In a fork, the initiators of both runs count as initiator.
  const starters = [state.initiatedBy, ...(state.forkedFrom ? [state.forkedFrom.by] : [])];
  const forbidden = starters
    .map((starter) => approverRefusal(approvers, starter, gate, asked.actor))
    .find((refused) => refused !== null);
  if (forbidden) return err(forbidden);
  const decision = wanted(gate, asked.answer);
  if (!decision.ok) return decision;
  const agrees = decision.value === 'approve' || decision.value === 'answer';
  if (agrees && isPreviewCut(gate.content)) {
    const hint = say('workflows.rejectAndShorten');
    return refuse('invalid_input', say('workflows.previewTooLarge'), hint);
  }
  const enough = !agrees || gate.votes.length + 1 >= approvers.needed;
  return record(ports, state, gate, asked, enough ? decision.value : null);
}

const mostReason = 1_000;

/** Content of an answer beyond yes or no. */
function saidWith(answer: GateReply): { readonly response?: Json; readonly reason?: string } {
  if (answer.type === 'respond') return { response: answer.response };
  const reason = answer.type === 'reject' ? cutCodePoints((answer.reason ?? '').trim(), mostReason) : '';
  return reason === '' ? {} : { reason };
}

function record(
  ports: EnginePorts,
  state: RunState,
  gate: GateState,
  asked: Decision,
  decision: WorkflowGateDecision | null,
): Result<DecidedGate> {
  const { id, contentHash } = gate;
  const { id: by, owner } = asked.actor;
  const event: RunEvent =
    decision === null
      ? { type: 'gate_voted', gate: id, by, contentHash, ...(owner ? { owner } : {}) }
      : { type: 'gate_decided', gate: id, decision, by, contentHash, ...saidWith(asked.answer) };
  const next = decision === null ? newToken({ ports }) : null;
  const at = ports.clock.now();
  const written = ports.journal.append({
    run: state.id,
    at,
    afterSeq: state.last?.seq ?? 0,
    events: [event],
    gates: [
      {
        type: 'use',
        gate: id,
        tokenHash: 'token' in asked.by ? tokenHash(ports.sha256, asked.by.token) : null,
        contentHash,
        votes: gate.votes.length,
        decision,
        nextTokenHash: next?.hash ?? null,
      },
    ],
    ...(decision === null ? {} : { status: 'running' as const, wakeAt: at }),
  });
  if (!written.ok) return written;
  if (decision !== null) ports.gates.closed(id, decision);
  return ok({ run: state.id, gate: id, decision, token: next?.token ?? null });
}
