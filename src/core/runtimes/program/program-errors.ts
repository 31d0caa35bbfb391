/** Errors of a program and its model. Their own text is untrusted and long, so only its kind is reported. */
import { type AppError, textError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { say } from '../../../language/say.ts';
import type { Log } from '../../ports.ts';

/** `status`: of the model's server; `null` if unknown. `text` becomes a hint. */
export function modelError(text: string, status: number | null): AppError {
  const hint = { hint: text.slice(0, 300) };
  const start = text.slice(0, 80);
  if (status === 401 || status === 403 || /authenticat|log ?in/i.test(start))
    return textError('unauthenticated', say('turns.modelRefusedKey'), hint);
  if (status === 429 || /limit/i.test(start))
    return textError('rate_limited', say('turns.modelAskedTooOften'), hint);
  if (status !== null && status >= 500) return textError('unavailable', say('turns.modelUnavailable'), hint);
  return textError('model_error', say('turns.modelRefusedRequest'), hint);
}

const limitText = /usage limit reached|(?:hit|reached) your [^.]{0,40}limit|usage_limit_reached/i;

/** Whether a program says that the plan of its login is used up, and until when (ms since the epoch) if it says. */
export function readPlanLimit(text: string): { readonly until: number | null } | null {
  if (!limitText.test(text)) return null;
  const seconds = /\|(\d{10})\b/.exec(text)?.[1];
  return { until: seconds === undefined ? null : Number(seconds) * 1000 };
}

export const gateLost = (title: string): AppError => fail('unavailable', 'turns.gateLost', { title });

export function programEnded(log: Log, title: string, code: number | null, stderr: string): AppError {
  log.warn('agent_program_ended', { title, code, tail: stderr });
  return fail('unavailable', 'turns.programEnded', { title, code: String(code ?? '?') });
}
