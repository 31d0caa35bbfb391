/** What a call is told that is refused without anybody's answer. */
import type { GateDecision } from '../tool-ports.ts';

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
