/** Refusals without an answer of a person, and the error for unknown questions. */
import { fail } from '../../contract/fail.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { PolicyVerdict } from '../policy/policy-call.ts';
import type { GateCall, GateDecision } from './approval-gate.ts';

export const noQuestion = fail(
  'not_found',
  'approvals.unknownQuestion',
  {},
  { help: 'approvals.runApprovalsList' },
);

export const denied = (reason: HostText, by: 'policy' | 'tool' | 'cancelled'): GateDecision => ({
  type: 'deny',
  reason: englishText(reason),
  by,
});

export const withdrawn = denied(say('approvals.stoppedBeforeAnswer'), 'cancelled');

export const unlogged = denied(say('approvals.auditUnavailable'), 'policy');

/** Denies a question whose preview cannot be shown completely (T8). */
export function askable(verdict: PolicyVerdict, { assessment }: Pick<GateCall, 'assessment'>): PolicyVerdict {
  if (verdict.verdict !== 'ask' || assessment.preview.cut !== true) return verdict;
  return { verdict: 'deny', by: verdict.by, why: say('approvals.deniedTooLarge') };
}
