/** What a call is told that is refused without anybody's answer, and whoever names a question that there is not. */
import { appError } from '../../contract/errors.ts';
import type { GateDecision } from '../tool-ports.ts';

export const noQuestion = appError('not_found', 'There is no such question.', {
  hint: 'List them with "kennel approvals list".',
});

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
