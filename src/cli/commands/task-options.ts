import type { MethodInput } from '../../contract/methods.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import type { CliEnglish } from '../../language/cli-message.ts';
import type { OptionSpec } from '../command.ts';
import { copy } from '../copy.ts';
import { labelledLines } from '../table.ts';
import { commandFailure } from '../terminal.ts';
import { readWhen, shownTime } from '../when.ts';
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
    throw commandFailure('invalid_input', whole ? 'cliTasks.wholeOrNone' : 'cliTasks.sumOrNone', { flag });
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
  if (dueAt === null)
    throw commandFailure(
      'invalid_input',
      'cliTasks.notUnderstood',
      { flag, text },
      { help: 'cliTerminal.timeForms' },
    );
  if (dueAt < now)
    throw commandFailure(
      'invalid_input',
      'cliTasks.isOver',
      { flag, text, time: shownTime(dueAt) },
      { help: 'cliTerminal.timeForms' },
    );
  return { dueAt };
}

function limits({ budget, used }: TaskSummary): string {
  const parts = [
    ...(budget.steps === null ? [] : [copy('cliTasks.limitSteps', { steps: budget.steps })]),
    ...(budget.tokens === null ? [] : [copy('cliTasks.limitTokens', { tokens: budget.tokens })]),
    ...(budget.usd === null ? [] : [`$${budget.usd}`]),
  ];
  const money = [
    ...(used.usd > 0 || used.simulatedUsd + used.unpriced === 0 ? [`$${used.usd.toFixed(4)}`] : []),
    ...(used.unpriced > 0 ? [copy(used.usd > 0 ? 'cliTasks.unknown' : 'cliTasks.priceUnknown')] : []),
    ...(used.simulatedUsd > 0
      ? [copy('cliTasks.simulated', { usd: `$${used.simulatedUsd.toFixed(4)}` })]
      : []),
  ].join(' + ');
  const spent = used.tokens === 0 ? [] : [copy('cliTasks.used', { tokens: used.tokens, money })];
  return [
    parts.length === 0 ? copy('cliTasks.noLimit') : copy('cliTasks.atMost', { limits: parts.join(', ') }),
    ...spent,
  ].join('; ');
}

/** Facts besides goal and status, one per line. */
export function taskFacts(task: TaskSummary): string[] {
  const { agentName, runnerName, project, priority, dueAt, parent, forkedAt, worktree } = task;
  const row = (
    label: keyof CliEnglish['cliTasks'] & `label_${string}`,
    value: string,
  ): readonly [string, string] => [copy(`cliTasks.${label}`), value];
  const added = { time: shownTime(task.createdAt), via: copy(`cliTasks.via_${task.via}`) };
  const rows = [
    row('label_agent', agentName === '' ? copy('cliTasks.anyAgent') : agentName),
    ...(runnerName === '' || runnerName === agentName ? [] : [row('label_doneBy', runnerName)]),
    ...(project === null ? [] : [row('label_project', project)]),
    ...(priority === 0 ? [] : [row('label_priority', String(priority))]),
    ...(dueAt === null ? [] : [row('label_due', shownTime(dueAt))]),
    ...(parent === null
      ? []
      : [row('label_forkOf', copy('cliTasks.forkOf', { parent, step: forkedAt ?? 0 }))]),
    ...(worktree === null || worktree.state === 'off'
      ? []
      : [row('label_worktree', copy(`cliTasks.worktree_${worktree.state}`, { branch: worktree.branch }))]),
    row('label_steps', String(task.steps)),
    row('label_budget', limits(task)),
    row('label_added', copy('cliTasks.viaAt', added)),
    row('label_changed', shownTime(task.updatedAt)),
  ];
  return labelledLines(rows, 8);
}

/** Facts that the task saved, one per line. */
export function taskNotes(memoryJson: string): string[] {
  const parsed: unknown = JSON.parse(memoryJson);
  const notes = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return notes.map(([name, value]) => `  ${name}: ${words(value)}`);
}
