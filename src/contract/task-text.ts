/**
 * Tasks as text in the format of the Personal Agent (spec §6.1). Goals and results stay on their own line or
 * indented below it, so that no text can imitate a line of the list.
 */
import type { TaskCounts, TaskState, TaskStepView, TaskSummary } from './task-methods.ts';

/** UTF-16 units of a result or error in lists and topics; longer ones are cut. */
export const longestShown = 4_000;
/** A cut never splits a surrogate pair, so the text may be one unit shorter. */
export const isBeginning = (text: string): boolean => text.length >= longestShown - 1;

/** Status for people: `cancelled` is separate from `error`, and a wait for a run from one for an answer. */
type ShownState = TaskState | 'cancelled' | 'held';

const marks: Readonly<Record<ShownState, string>> = {
  pending: ' ',
  running: '*',
  waiting: '?',
  held: '?',
  paused: 'P',
  done: 'X',
  error: '!',
  cancelled: '-',
};

const words: Readonly<Record<ShownState, string>> = {
  pending: 'pending',
  running: 'running',
  waiting: 'waiting for approval',
  held: 'waiting for a run',
  paused: 'paused',
  done: 'done',
  error: 'error',
  cancelled: 'cancelled',
};

const newLine = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const oneLine = (text: string): string => text.replace(newLine, ' ').trim();
/** Indents all lines after the first. */
const below = (text: string): string => text.trim().replace(newLine, '\n    ');

/** For example `2026-01-15T03:20:25Z`. */
const isoTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

export type TaskLine = Pick<TaskSummary, 'id' | 'goal' | 'status'> & {
  readonly failure: { readonly kind: string } | null;
  readonly waitingFor?: { readonly kind: string } | null;
};

function stateOf({
  status,
  failure,
  waitingFor,
}: Pick<TaskLine, 'status' | 'failure' | 'waitingFor'>): ShownState {
  if (failure?.kind === 'cancelled') return 'cancelled';
  return status === 'waiting' && waitingFor?.kind === 'run' ? 'held' : status;
}

export function taskLine(task: TaskLine): string {
  const state = stateOf(task);
  return `  [${marks[state]}] ${task.id}: ${oneLine(task.goal)} (${words[state]})`;
}

export const taskList = (tasks: readonly TaskLine[]): string =>
  tasks.length === 0 ? 'No tasks' : ['Tasks:', ...tasks.map(taskLine)].join('\n');

/**
 * Always five statuses; waiting (for an answer or a run) and cancelled only if not zero. `cancelled` is part
 * of the errors.
 */
export function statusCounts(counts: Readonly<TaskCounts>, cancelled: number): string {
  const { pending, running, waiting, paused, done, error } = counts;
  const always = Object.entries({ pending, running, paused, done, error: error - cancelled });
  const some = Object.entries({ waiting, cancelled }).filter(([, count]) => count > 0);
  return ['Agent Status:', ...[...always, ...some].map(([state, count]) => `  ${state}: ${count}`)].join(
    '\n',
  );
}

export interface WorkerLine {
  readonly worker: number;
  /** `null` if idle. */
  readonly task: number | null;
}

export const workerList = (workers: readonly WorkerLine[]): string =>
  [
    `Workers (${workers.length}):`,
    ...workers.map(({ worker, task }) => `  Worker ${worker}: ${task === null ? 'idle' : `task ${task}`}`),
  ].join('\n');

export type LoggedTask = TaskLine & Pick<TaskSummary, 'steps'>;

export function logHead(task: LoggedTask): string {
  const state = words[stateOf(task)];
  return [
    `Task ${task.id}: ${oneLine(task.goal)}`,
    `Status: ${state}`,
    `Steps: ${task.steps}`,
    '',
    'Execution log:',
  ].join('\n');
}

export type LoggedStep = Pick<TaskStepView, 'number' | 'kind' | 'action' | 'startedAt' | 'result' | 'error'>;

/** One step; result and error are absent while it runs. */
export function logStep({ number, kind, action, startedAt, result, error }: LoggedStep): string {
  const lines = [
    `[Step ${number}] ${isoTime(startedAt)}`,
    `  Action: ${kind === 'decision' ? kind : oneLine(action)}`,
  ];
  if (result !== null) lines.push(`  Result: ${below(result)}`);
  if (error !== null) lines.push(`  Error: ${below(error)}`);
  return lines.join('\n');
}

export const taskLog = (task: LoggedTask, steps: readonly LoggedStep[]): string =>
  [logHead(task), ...(steps.length === 0 ? ['No steps yet'] : steps.map(logStep))].join('\n\n');
