import type { MethodInput } from '../../contract/methods.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import type { OptionSpec } from '../command.ts';
import { usageError } from '../terminal.ts';
import { readWhen, shownTime, whenForms } from '../when.ts';
import { parseWholeNumber } from '../whole-number.ts';

// Shared by the task commands: parsing of limits and times, and the text of one task.

export interface BudgetFlags {
  readonly budgetSteps?: string;
  readonly budgetTokens?: string;
  readonly budgetUsd?: string;
}

export const budgetOptions: readonly OptionSpec[] = [
  { flags: '--budget-steps <number>' },
  { flags: '--budget-tokens <number>' },
  { flags: '--budget-usd <sum>' },
];

export interface PlaceFlags extends BudgetFlags {
  readonly priority?: string;
  readonly project?: string;
}

function limit(flag: string, text: string | undefined, whole: boolean): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const value = Number(text);
  if (text.trim() === '' || !(value > 0) || (whole && !Number.isSafeInteger(value)) || value === Infinity)
    throw usageError(`${flag} takes a ${whole ? 'whole number' : 'sum'} above 0, or "none".`);
  return value;
}

interface Budget {
  steps?: number | null;
  tokens?: number | null;
  usd?: number | null;
}

/** Only the given limits. */
export function budgetOf(flags: BudgetFlags): Budget {
  const steps = limit('--budget-steps', flags.budgetSteps, true);
  const tokens = limit('--budget-tokens', flags.budgetTokens, true);
  const usd = limit('--budget-usd', flags.budgetUsd, false);
  return {
    ...(steps === undefined ? {} : { steps }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(usd === undefined ? {} : { usd }),
  };
}

export function taskPlaceText(
  flags: PlaceFlags,
): Pick<MethodInput<'tasks.add'>, 'priority' | 'project' | 'budget'> {
  const budget = budgetOf(flags);
  return {
    ...(flags.priority === undefined
      ? {}
      : { priority: parseWholeNumber('--priority', flags.priority, -1_000, 1_000) }),
    ...(flags.project === undefined ? {} : { project: flags.project === '' ? null : flags.project }),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
  };
}

/** `none` clears the due time. */
export function dueOf(flag: string, text: string | undefined, now: number): { dueAt?: number | null } {
  if (text === undefined) return {};
  if (text === 'none') return { dueAt: null };
  const dueAt = readWhen(text, now);
  if (dueAt === null) throw usageError(`${flag} does not understand "${text}".`, whenForms);
  if (dueAt < now) throw usageError(`${flag} "${text}" is over already (${shownTime(dueAt)}).`, whenForms);
  return { dueAt };
}

function limits({ budget, used }: TaskSummary): string {
  const parts = [
    ...(budget.steps === null ? [] : [`${budget.steps} steps`]),
    ...(budget.tokens === null ? [] : [`${budget.tokens} tokens`]),
    ...(budget.usd === null ? [] : [`$${budget.usd}`]),
  ];
  const money = [
    ...(used.usd > 0 || used.simulatedUsd + used.unpriced === 0 ? [`$${used.usd.toFixed(4)}`] : []),
    ...(used.unpriced > 0 ? [used.usd > 0 ? 'unknown' : 'price unknown'] : []),
    ...(used.simulatedUsd > 0 ? [`$${used.simulatedUsd.toFixed(4)} simulated`] : []),
  ].join(' + ');
  const spent = used.tokens === 0 ? [] : [`used ${used.tokens} tokens, ${money}`];
  return [parts.length === 0 ? 'no limit' : `at most ${parts.join(', ')}`, ...spent].join('; ');
}

/** Facts besides goal and status, one per line. */
export function taskFacts(task: TaskSummary): string[] {
  const { agentName, runnerName, project, priority, dueAt, parent, forkedAt } = task;
  const row = (name: string, value: string): string => `  ${name.padEnd(9)}${value}`;
  return [
    row('Agent', agentName === '' ? 'any' : agentName),
    ...(runnerName === '' || runnerName === agentName ? [] : [row('Done by', runnerName)]),
    ...(project === null ? [] : [row('Project', project)]),
    ...(priority === 0 ? [] : [row('Priority', String(priority))]),
    ...(dueAt === null ? [] : [row('Due', shownTime(dueAt))]),
    ...(parent === null ? [] : [row('Fork of', `task ${parent} after step ${forkedAt ?? 0}`)]),
    row('Steps', String(task.steps)),
    row('Budget', limits(task)),
    row('Added', `${shownTime(task.createdAt)}, by ${task.via}`),
    row('Changed', shownTime(task.updatedAt)),
  ];
}

/** Facts that the task saved, one per line. */
export function taskNotes(memoryJson: string): string[] {
  const parsed: unknown = JSON.parse(memoryJson);
  const notes = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return notes.map(([name, value]) => `  ${name}: ${words(value)}`);
}
