/** Refusals without an answer of a person, and the error for unknown questions. */
import { fail } from '../../contract/fail.ts';
import type { PolicyVerdict } from '../policy/policy-call.ts';
import type { GateCall, GateDecision } from './approval-gate.ts';

export const noQuestion = fail(
  'not_found',
  'approvals.unknownQuestion',
  {},
  { help: 'approvals.runApprovalsList' },
);

export const denied = (reason: string, by: 'policy' | 'tool' | 'cancelled'): GateDecision => ({
  type: 'deny',
  reason,
  by,
});

export const withdrawn = denied('The turn was stopped before it was answered.', 'cancelled');

export const unlogged = denied(
  'The audit log cannot be written, so nothing is done that it would not hold.',
  'policy',
);

/** Denies a question whose preview cannot be shown completely (T8). */
export function askable(verdict: PolicyVerdict, { assessment }: Pick<GateCall, 'assessment'>): PolicyVerdict {
  if (verdict.verdict !== 'ask' || assessment.preview.cut !== true) return verdict;
  const why =
    'Not allowed: it needs a yes of the operator, and it is too large to be shown to them whole. Do it in smaller parts.';
  return { verdict: 'deny', by: verdict.by, why };
}
