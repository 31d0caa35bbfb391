import { type AppError, textError } from '../contract/errors.ts';
import type { Problem, ProblemAbout } from '../contract/model.ts';
import type { Clock } from '../core/ports.ts';
import type { HostText } from '../language/host-message.ts';

export interface ProblemText {
  readonly message: HostText;
  readonly hint?: HostText | undefined;
}

/** Current problems for the user: one entry per cause, cleared with it. */
export interface Problems {
  set(id: string, severity: Problem['severity'], problem: ProblemText | AppError, about?: ProblemAbout): void;
  clear(id: string): void;
  list(): readonly Problem[];
}

const asError = (problem: ProblemText | AppError): AppError =>
  'code' in problem ? problem : textError('unavailable', problem.message, { hint: problem.hint });

export function createProblems(clock: Clock, onChange: () => void): Problems {
  const open = new Map<string, Problem>();
  return {
    set(id, severity, problem, about) {
      const { message, said, hint, help } = asError(problem);
      const before = open.get(id);
      if (before?.message === message && before.severity === severity) return;
      const at = clock.now();
      open.set(id, {
        id,
        severity,
        message,
        ...(said ? { said } : {}),
        ...(hint ? { hint } : {}),
        ...(help ? { help } : {}),
        at,
        ...(about ? { about } : {}),
      });
      onChange();
    },
    clear(id) {
      if (open.delete(id)) onChange();
    },
    list: () => [...open.values()],
  };
}
