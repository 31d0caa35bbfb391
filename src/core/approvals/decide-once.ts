/**
 * States of a question: it waits, then exactly one decision ends it. Pure: maps an answer, its surface and
 * time to the next state or an error.
 */
import type { Approval, ApprovalAnswer } from '../../contract/approvals.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { mayAgree } from './consent-question.ts';

export type Surface = NonNullable<Approval['decision']>['surface'];

export interface SubmittedAnswer {
  readonly answer: ApprovalAnswer;
  /** Digest that was shown to the answering person. */
  readonly digest: string;
  readonly surface: Surface;
  /** Verified slug, if others than the operator may answer; absent for the operator. */
  readonly by?: string;
  /** ms since the epoch. */
  readonly at: number;
}

/** ms for which "not now" snoozes a question. */
export const quietMs = 3_600_000;

const decided = {
  waiting: 'approvals.stillWaits',
  allowed: 'approvals.allowedAlready',
  denied: 'approvals.deniedAlready',
  expired: 'approvals.expired',
  cancelled: 'approvals.withdrawn',
} as const;

const conflict = ({ state, decision }: Approval): Result<never> =>
  err(
    fail('conflict', 'approvals.decidedAlready', {
      state: decision
        ? say('approvals.decidedIn', { state: say(decided[state]), surface: decision.surface })
        : say(decided[state]),
    }),
  );

/** Ends a question without an answer. */
export function end(
  approval: Approval,
  state: 'expired' | 'cancelled',
  reason: HostText,
  at: number,
): Result<Approval> {
  if (approval.state !== 'waiting') return conflict(approval);
  return ok(ended(approval, state, reason, at));
}

function ended(approval: Approval, state: 'expired' | 'cancelled', reason: HostText, at: number): Approval {
  const surface = state === 'expired' ? 'expiry' : 'host';
  return {
    ...approval,
    state,
    quietUntil: null,
    decision: { scope: null, reason, surface, at, receiptId: null },
  };
}

/** Also for an approved question that is void now. */
export const withdrawnFor = (approval: Approval, reason: HostText, at: number): Approval =>
  ended(approval, 'cancelled', reason, at);

/**
 * `conflict`: another answer came first, or the digest differs. `invalid_input`: not everything was shown.
 */
export function stillOpen(approval: Approval, given: SubmittedAnswer): Result<void> {
  const { digest, at } = given;
  if (approval.state !== 'waiting' || at >= approval.expiresAt) return conflict(expiredBy(approval, at));
  if (digest !== approval.digest) {
    return err(fail('conflict', 'approvals.questionChanged', {}, { help: 'approvals.lookAgain' }));
  }
  return mayAgree(approval, given);
}

/** Like `stillOpen`; `invalid_input` if the answer is not offered. */
export function decideOnce(approval: Approval, given: SubmittedAnswer): Result<Approval> {
  const { answer, surface, at } = given;
  const open = stillOpen(approval, given);
  if (!open.ok) return open;
  if (answer.type === 'not_now') return ok({ ...approval, quietUntil: at + quietMs });
  const decision = { reason: '', surface, at, receiptId: null };
  if (answer.type === 'deny') {
    const denied = { ...decision, scope: null, reason: answer.reason };
    return ok({ ...approval, state: 'denied', quietUntil: null, decision: denied });
  }
  if (answer.type !== 'allow') {
    return err(
      fail('invalid_input', 'approvals.allowOrDenyOnly', {}, { help: 'approvals.workflowAnswersOnly' }),
    );
  }
  if (!approval.offers.some(({ scope }) => scope === answer.scope)) {
    return err(fail('invalid_input', 'approvals.invalidAnswerScope', { scope: answer.scope }));
  }
  return ok({
    ...approval,
    state: 'allowed',
    quietUntil: null,
    decision: { ...decision, scope: answer.scope },
  });
}

const expiredBy = (approval: Approval, at: number): Approval =>
  approval.state === 'waiting' && at >= approval.expiresAt ? { ...approval, state: 'expired' } : approval;

export function denialReason({ state, decision }: Approval): HostText {
  if (state === 'expired') return say('approvals.nobodyAnswered');
  if (state === 'cancelled')
    return say('approvals.questionWithdrawn', { why: decision?.reason || say('approvals.turnEnded') });
  return decision?.reason
    ? say('approvals.operatorDeniedBecause', { words: decision.reason })
    : say('approvals.operatorDenied');
}
