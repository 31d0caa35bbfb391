/**
 * Questions that somebody else decides about, such as those of a run of a workflow. The centre shows them, keeps them and
 * signs what became of them; what an answer means, who may give it and when it is too late is the answerer's to say.
 */
import type { Approval } from '../../contract/consent.ts';
import { appError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { Answer, Surface } from './decide-once.ts';

type Decision = NonNullable<Approval['decision']>;

export interface Verdict {
  readonly state: Exclude<Approval['state'], 'waiting'>;
  readonly as: NonNullable<Decision['as']>;
  /** Who it was, as the answerer knows them; empty: nobody. */
  readonly by: string;
}

/** How it was decided, and where. */
export interface Outcome extends Verdict {
  readonly surface: Surface;
  readonly reason?: string;
}

/** An answer that decides something: "not now" stays with the centre. */
export interface DecidingAnswer extends Answer {
  readonly answer: Exclude<Answer['answer'], { type: 'not_now' }>;
}

/** `agreed`: it counts, and others must agree, too. An error: nothing was decided. */
export type Answerer = (
  approval: Approval,
  answer: DecidingAnswer,
) => Result<
  | ({ readonly type: 'decided' } & Verdict)
  | { readonly type: 'agreed'; readonly by: string; readonly gate: NonNullable<Approval['gate']> }
>;

export const isOutside = ({ kind }: Pick<Approval, 'kind'>): boolean => kind === 'workflow';

/** Only its answerer ends such a question: what the centre's clock says of it does not count. */
export const expiryOf = (approval: Pick<Approval, 'kind' | 'expiresAt'>): number =>
  isOutside(approval) ? Number.POSITIVE_INFINITY : approval.expiresAt;

export const unanswerable = appError(
  'unavailable',
  'Workflows do not run just now, so nothing was decided.',
  {
    hint: 'Try again in a moment; the question still waits.',
  },
);

export const outcomeOf = ({ surface, answer }: Answer, { state, as, by }: Verdict): Outcome => ({
  ...{ state, as, by, surface },
  reason: answer.type === 'deny' ? answer.reason : '',
});

export function decidedOutside(approval: Approval, outcome: Outcome, at: number): Approval {
  const { state, as, by, surface, reason = '' } = outcome;
  return {
    ...approval,
    state,
    quietUntil: null,
    decision: { scope: state === 'allowed' ? 'once' : null, reason, surface, at, receiptId: null, by, as },
  };
}
