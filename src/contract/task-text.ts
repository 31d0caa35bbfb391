/**
 * Tasks as lines of text, in the form that people know from the Personal Agent (spec §6.1). Whatever a goal or a result
 * says, it stays on its own line or indented below it, so that no text can pass for a line of the list.
 */
import type { TaskCounts, TaskState, TaskStepView, TaskSummary } from './task-methods.ts';

const marks: Readonly<Record<TaskState, string>> = {
  pending: ' ',
  running: '*',
  waiting: '?',
  paused: 'P',
  done: 'X',
  error: '!',
};

const words: Readonly<Record<TaskState, string>> = {
  pending: 'pending',
  running: 'running',
  waiting: 'waiting for approval',
  paused: 'paused',
  done: 'done',
  error: 'error',
};

const newLine = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const oneLine = (text: string): string => text.replace(newLine, ' ').trim();
/** Of more lines than one, those that follow stand below the first. */
const below = (text: string): string => text.trim().replace(newLine, '\n    ');

/** e.g. `2026-01-15T03:20:25Z` */
const isoTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

export type TaskLine = Pick<TaskSummary, 'id' | 'goal' | 'status'>;

export const taskLine = ({ id, goal, status }: TaskLine): string =>
  `  [${marks[status]}] ${id}: ${oneLine(goal)} (${words[status]})`;

export const taskList = (tasks: readonly TaskLine[]): string =>
  tasks.length === 0 ? 'No tasks' : ['Tasks:', ...tasks.map(taskLine)].join('\n');

/** The five states always, waiting for approval where there is any. */
export function statusCounts(counts: Readonly<TaskCounts>): string {
  const shown: TaskState[] = ['pending', 'running', 'paused', 'done', 'error'];
  if (counts.waiting > 0) shown.push('waiting');
  return ['Agent Status:', ...shown.map((status) => `  ${words[status]}: ${counts[status]}`)].join('\n');
}

export interface WorkerLine {
  readonly worker: number;
  /** Null: idle. */
  readonly task: number | null;
}

export const workerList = (workers: readonly WorkerLine[]): string =>
  [
    `Workers (${workers.length}):`,
    ...workers.map(({ worker, task }) => `  Worker ${worker}: ${task === null ? 'idle' : `task ${task}`}`),
  ].join('\n');

export type LoggedTask = TaskLine & Pick<TaskSummary, 'steps'>;

/** What a log and a stream begin with. */
export const logHead = ({ id, goal, status, steps }: LoggedTask): string =>
  [`Task ${id}: ${oneLine(goal)}`, `Status: ${words[status]}`, `Steps: ${steps}`, '', 'Execution log:'].join(
    '\n',
  );

export type LoggedStep = Pick<TaskStepView, 'number' | 'kind' | 'action' | 'startedAt' | 'result' | 'error'>;

/** One step; it has neither result nor error while it goes on. */
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
