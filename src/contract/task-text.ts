/**
 * Tasks as text in the format of the Personal Agent (spec §6.1). Goals and results stay on their own line or
 * indented below it, so that no text can imitate a line of the list.
 */
import { englishText, type HostMessage } from '../language/host-message.ts';
import { say } from '../language/say.ts';
import type { TaskCounts, TaskState, TaskStepView, TaskSummary } from './task-methods.ts';

/** Renders a text for its reader. Agents, logs and the chat read English. */
type Render = (text: HostMessage) => string;

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

export function taskLine(task: TaskLine, render: Render = englishText): string {
  const state = stateOf(task);
  return `  [${marks[state]}] ${task.id}: ${oneLine(task.goal)} (${render(say(`taskLists.state_${state}`))})`;
}

export const taskList = (tasks: readonly TaskLine[], render: Render = englishText): string =>
  tasks.length === 0
    ? render(say('taskLists.none'))
    : [render(say('taskLists.tasks')), ...tasks.map((task) => taskLine(task, render))].join('\n');

/**
 * Always five statuses; waiting (for an answer or a run) and cancelled only if not zero. `cancelled` is part
 * of the errors.
 */
export function statusCounts(
  counts: Readonly<TaskCounts>,
  cancelled: number,
  render: Render = englishText,
): string {
  const { pending, running, waiting, paused, done, error } = counts;
  const always = [
    [say('taskLists.state_pending'), pending],
    [say('taskLists.state_running'), running],
    [say('taskLists.state_paused'), paused],
    [say('taskLists.state_done'), done],
    [say('taskLists.state_error'), error - cancelled],
  ] as const;
  const some = [
    [say('taskLists.waiting'), waiting],
    [say('taskLists.state_cancelled'), cancelled],
  ] as const;
  return [
    render(say('taskLists.status')),
    ...[...always, ...some.filter(([, count]) => count > 0)].map(
      ([state, count]) => `  ${render(state)}: ${count}`,
    ),
  ].join('\n');
}

export interface WorkerLine {
  readonly worker: number;
  /** `null` if idle. */
  readonly task: number | null;
}

export const workerList = (workers: readonly WorkerLine[], render: Render = englishText): string =>
  [
    render(say('taskLists.workers', { count: workers.length })),
    ...workers.map(({ worker, task }) => {
      const work = task === null ? say('taskLists.idle') : say('taskLists.onTask', { task });
      return `  ${render(say('taskLists.worker', { worker, work }))}`;
    }),
  ].join('\n');

export type LoggedTask = TaskLine & Pick<TaskSummary, 'steps'>;

export function logHead(task: LoggedTask, render: Render = englishText): string {
  const state = say(`taskLists.state_${stateOf(task)}`);
  return [
    render(say('taskLists.task', { id: task.id, goal: oneLine(task.goal) })),
    render(say('taskLists.statusIs', { state })),
    render(say('taskLists.steps', { count: task.steps })),
    '',
    render(say('taskLists.log')),
  ].join('\n');
}

export type LoggedStep = Pick<TaskStepView, 'number' | 'kind' | 'action' | 'startedAt' | 'result' | 'error'>;

/** One step; result and error are absent while it runs. */
export function logStep(
  { number, kind, action, startedAt, result, error }: LoggedStep,
  render: Render = englishText,
): string {
  const what = kind === 'decision' ? say('taskLists.decision') : oneLine(action);
  const lines = [
    `[${render(say('taskLists.step', { number }))}] ${isoTime(startedAt)}`,
    `  ${render(say('taskLists.action', { what }))}`,
  ];
  if (result !== null) lines.push(`  ${render(say('taskLists.result', { result: below(result) }))}`);
  if (error !== null) lines.push(`  ${render(say('taskLists.error', { error: below(error) }))}`);
  return lines.join('\n');
}

export const taskLog = (
  task: LoggedTask,
  steps: readonly LoggedStep[],
  render: Render = englishText,
): string =>
  [
    logHead(task, render),
    ...(steps.length === 0 ? [render(say('taskLists.noSteps'))] : steps.map((step) => logStep(step, render))),
  ].join('\n\n');
