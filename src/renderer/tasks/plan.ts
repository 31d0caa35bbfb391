/** Planning fields of a task as form text; an empty limit means no limit. */

export interface Plan {
  readonly project: string;
  readonly priority: string;
  /** Value of a `datetime-local` input, in local time. */
  readonly due: string;
  readonly steps: string;
  readonly tokens: string;
  readonly usd: string;
}

const empty: Plan = { project: '', priority: '0', due: '', steps: '', tokens: '', usd: '' };

export const planOf = (part: Partial<Plan> = {}): Plan => ({ ...empty, ...part });

const two = (n: number): string => String(n).padStart(2, '0');

export function localInput(at: number): string {
  const d = new Date(at);
  const day = `${String(d.getFullYear()).padStart(4, '0')}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  return `${day}T${two(d.getHours())}:${two(d.getMinutes())}`;
}

/** Returns ms since the epoch, or `null` if empty or invalid. */
export function timeIn(text: string): number | null {
  const at = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(at) ? null : at;
}

/** Returns `null` (no limit) unless the number is positive. */
function limitIn(text: string, whole: boolean): number | null {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) return null;
  return whole ? Math.max(1, Math.round(value)) : value;
}

const mostSteps = 100_000;

export const budgetIn = (plan: Plan) => {
  const steps = limitIn(plan.steps, true);
  return {
    steps: steps === null ? null : Math.min(steps, mostSteps),
    tokens: limitIn(plan.tokens, true),
    usd: limitIn(plan.usd, false),
  };
};

const priorityIn = (text: string): number => {
  const value = Math.round(Number(text));
  return Number.isFinite(value) ? Math.min(1_000, Math.max(-1_000, value)) : 0;
};

/** Input of `tasks.amend`: all fields, so that emptied ones are removed. */
export const wholePlan = (plan: Plan) => ({
  project: plan.project.trim() === '' ? null : plan.project.trim(),
  priority: priorityIn(plan.priority),
  dueAt: timeIn(plan.due),
  budget: budgetIn(plan),
});

/** Limits of a new task: only the filled fields. */
export const newBudget = (plan: Plan): Partial<ReturnType<typeof budgetIn>> =>
  Object.fromEntries(Object.entries(budgetIn(plan)).filter(([, value]) => value !== null));

/** Input of `tasks.add`: only the filled fields, so that the host's defaults apply to the rest. */
export function newPlan(plan: Plan) {
  const { project, priority, dueAt } = wholePlan(plan);
  const limits = newBudget(plan);
  return {
    ...(project === null ? {} : { project }),
    ...(priority === 0 ? {} : { priority }),
    ...(dueAt === null ? {} : { dueAt }),
    ...(Object.keys(limits).length === 0 ? {} : { budget: limits }),
  };
}
