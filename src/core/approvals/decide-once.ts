/**
 * The life of a question: it waits, and then exactly one thing happens to it. Pure: what is answered, by which surface
 * and when goes in, the next state comes out, or why it cannot be.
 */
import type { Approval, ApprovalAnswer } from '../../contract/consent.ts';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { mayAgree } from './consent-question.ts';

export type Surface = NonNullable<Approval['decision']>['surface'];

export interface Answer {
  readonly answer: ApprovalAnswer;
  /** The one that was shown to whoever answers. */
  readonly digest: string;
  readonly surface: Surface;
  /** Of a question that others than the operator may answer, too: who does, verified. Absent: the operator. */
  readonly by?: string;
  /** ms since the epoch. */
  readonly at: number;
}

/** So long "not now" keeps a question from asking for attention. */
export const quietMs = 3_600_000;

const words: Readonly<Record<Approval['state'], string>> = {
  waiting: 'still waits',
  allowed: 'was allowed already',
  denied: 'was denied already',
  expired: 'has expired',
  cancelled: 'was withdrawn',
};

const conflict = ({ state, decision }: Approval): Result<never> =>
  err(
    appError(
      'conflict',
      `This ${words[state]}${decision ? ` (${decision.surface})` : ''}. Nothing was changed.`,
    ),
  );

/** Ends a question without anybody's answer. */
export function end(
  approval: Approval,
  state: 'expired' | 'cancelled',
  reason: string,
  at: number,
): Result<Approval> {
  if (approval.state !== 'waiting') return conflict(approval);
  return ok(ended(approval, state, reason, at));
}

function ended(approval: Approval, state: 'expired' | 'cancelled', reason: string, at: number): Approval {
  const surface = state === 'expired' ? 'expiry' : 'host';
  return {
    ...approval,
    state,
    quietUntil: null,
    decision: { scope: null, reason, surface, at, receiptId: null },
  };
}

/** Also of a question that was answered with yes: nothing is done for it any more. */
export const withdrawnFor = (approval: Approval, reason: string, at: number): Approval =>
  ended(approval, 'cancelled', reason, at);

/** `conflict`: another answer came first, or it is not the one that was shown. `invalid_input`: not all of it was. */
export function stillOpen(approval: Approval, given: Answer): Result<void> {
  const { digest, at } = given;
  if (approval.state !== 'waiting' || at >= approval.expiresAt) return conflict(expiredBy(approval, at));
  if (digest !== approval.digest) {
    return err(
      appError('conflict', 'What was shown is not what waits now. Nothing was decided.', {
        hint: 'Look at it again, then answer.',
      }),
    );
  }
  return mayAgree(approval, given);
}

/** As `stillOpen`; `invalid_input`: not on offer. */
export function decideOnce(approval: Approval, given: Answer): Result<Approval> {
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
      appError('invalid_input', 'This question takes allow or deny. Nothing was decided.', {
        hint: 'Questions of workflows alone take other answers.',
      }),
    );
  }
  if (!approval.offers.some(({ scope }) => scope === answer.scope)) {
    return err(appError('invalid_input', `"${answer.scope}" cannot be answered here. Nothing was decided.`));
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

/** What the model and the log are told. */
export function denialReason({ state, decision }: Approval): string {
  if (state === 'expired') return 'Nobody answered in time, so it was not done.';
  if (state === 'cancelled') return `The question was withdrawn: ${decision?.reason || 'the turn ended'}.`;
  return decision?.reason ? `The operator denied it: ${decision.reason}` : 'The operator denied it.';
}
