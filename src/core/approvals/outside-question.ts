/**
 * Questions that another component decides, such as those of workflow runs. The centre shows and stores them
 * and signs their outcome; the answerer defines the meaning of an answer, who may give it, and its deadline.
 */
import type { Approval } from '../../contract/approvals.ts';
import { fail } from '../../contract/fail.ts';
import type { Result } from '../../contract/result.ts';
import type { SubmittedAnswer, Surface } from './decide-once.ts';

type Decision = NonNullable<Approval['decision']>;

export interface OutsideVerdict {
  readonly state: Exclude<Approval['state'], 'waiting'>;
  readonly as: NonNullable<Decision['as']>;
  /** Name of the approver as the answerer knows it; empty if none. */
  readonly by: string;
}

export interface OutsideOutcome extends OutsideVerdict {
  readonly surface: Surface;
  readonly reason?: string;
}

/** An answer that decides; the centre itself handles "not now". */
export interface DecidingAnswer extends SubmittedAnswer {
  readonly answer: Exclude<SubmittedAnswer['answer'], { type: 'not_now' }>;
}

/** `agreed`: the answer counts, but more approvals are needed. An error decides nothing. */
export type Answerer = (
  approval: Approval,
  answer: DecidingAnswer,
) => Result<
  | ({ readonly type: 'decided' } & OutsideVerdict)
  | { readonly type: 'agreed'; readonly by: string; readonly gate: NonNullable<Approval['gate']> }
>;

export const isOutside = ({ kind }: Pick<Approval, 'kind'>): boolean => kind === 'workflow';

/** Only its answerer ends such a question; the centre's clock does not expire it. */
export const expiryOf = (approval: Pick<Approval, 'kind' | 'expiresAt'>): number =>
  isOutside(approval) ? Number.POSITIVE_INFINITY : approval.expiresAt;

export const unanswerable = fail(
  'unavailable',
  'approvals.workflowsUnavailable',
  {},
  { help: 'approvals.tryAgainSoon' },
);

export const outsideOutcome = (
  { surface, answer }: SubmittedAnswer,
  { state, as, by }: OutsideVerdict,
): OutsideOutcome => ({
  state,
  as,
  by,
  surface,
  reason: answer.type === 'deny' ? answer.reason : '',
});

export function decidedOutside(approval: Approval, outcome: OutsideOutcome, at: number): Approval {
  const { state, as, by, surface, reason = '' } = outcome;
  return {
    ...approval,
    state,
    quietUntil: null,
    decision: { scope: state === 'allowed' ? 'once' : null, reason, surface, at, receiptId: null, by, as },
  };
}
