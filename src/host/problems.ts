import type { AppError } from '../contract/errors.ts';
import type { Problem, ProblemAbout } from '../contract/model.ts';
import type { Clock } from '../core/ports.ts';

/** Current problems for the user: one entry per cause, cleared with it. */
export interface Problems {
  set(
    id: string,
    severity: Problem['severity'],
    error: Pick<AppError, 'message' | 'hint'>,
    about?: ProblemAbout,
  ): void;
  clear(id: string): void;
  list(): readonly Problem[];
}

export function createProblems(clock: Clock, onChange: () => void): Problems {
  const open = new Map<string, Problem>();
  return {
    set(id, severity, { message, hint }, about) {
      const before = open.get(id);
      if (before?.message === message && before.severity === severity) return;
      const at = clock.now();
      open.set(id, { id, severity, message, ...(hint ? { hint } : {}), at, ...(about ? { about } : {}) });
      onChange();
    },
    clear(id) {
      if (open.delete(id)) onChange();
    },
    list: () => [...open.values()],
  };
}
