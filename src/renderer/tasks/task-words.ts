/** Words and signs for tasks. */
import type { Dot } from '../../contract/model.ts';
import type { TaskState, TaskSummary } from '../../contract/task-methods.ts';
import { locale, t, told } from '../../language/texts.ts';
import { untilTime } from '../words/time.ts';
import { visibleLine } from '../words/visible-text.ts';

export const openStates = ['pending', 'running', 'waiting', 'paused'] as const satisfies TaskState[];
/** How people see a state: what a person cancelled has not failed. */
export type TaskLook = TaskState | 'cancelled';
export const taskLooks = [...openStates, 'done', 'error', 'cancelled'] as const satisfies TaskLook[];

export const lookOf = ({ status, failure }: Pick<TaskSummary, 'status' | 'failure'>): TaskLook =>
  status === 'error' && failure?.kind === 'cancelled' ? 'cancelled' : status;

export const lookWords = (look: TaskLook): string => t(`tasks.status_${look}`);

/** What has none of these is shown by an icon. */
export const lookDots: Partial<Record<TaskLook, Dot>> = {
  pending: 'idle',
  running: 'working',
  waiting: 'needs_you',
  paused: 'offline',
  error: 'error',
};

const titlePoints = 160;

/** The first line of a goal, as it can be shown in a list. */
export function goalTitle(goal: string): string {
  const points = [...(goal.trim().split(/\r\n|[\n\r]/u)[0] ?? '')];
  const cut = points.length > titlePoints ? `${points.slice(0, titlePoints - 1).join('')}…` : points.join('');
  return visibleLine(cut);
}

/** Whose task it is: the one that works on it, the one that is to, or anybody. */
export function agentWords(
  task: Pick<TaskSummary, 'agentId' | 'agentName' | 'runnerId' | 'runnerName'>,
): string {
  if (task.runnerId !== null && task.runnerName !== '') return visibleLine(task.runnerName);
  return task.agentId === null ? t('tasks.anyAgent') : visibleLine(task.agentName || task.agentId);
}

/** Names of the usual priorities; any other is its number. */
export const priorities = [10, 0, -10] as const;
export function priorityWords(priority: number): string {
  const named = { '10': 'high', '0': 'normal', '-10': 'low' } as const;
  const name = named[String(priority) as keyof typeof named];
  return name === undefined
    ? t('tasks.priorityNumber', { number: priority.toLocaleString(locale()) })
    : t(`tasks.priority_${name}`);
}

/** What it comes to right now, in a phrase. Empty: the status says it all. */
export function nowWords(task: TaskSummary, now: number): string {
  const { status, asked, steps, dueAt, waitingFor, failure } = task;
  if (asked !== null) return t(`tasks.asked_${asked}`);
  switch (status) {
    case 'pending':
      return dueAt !== null && dueAt > now ? t('tasks.startsIn', { when: untilTime(dueAt, now) }) : '';
    case 'running':
      return steps === 0 ? t('tasks.begins') : t('tasks.atStep', { step: steps });
    case 'waiting':
      return waitingFor?.kind === 'unknown-step'
        ? t('tasks.asksAboutStep', { step: waitingFor.step })
        : t('tasks.asksYou');
    case 'paused':
      return t('tasks.steps', { n: steps });
    case 'done':
      return task.result === null ? '' : goalTitle(task.result);
    case 'error':
      return failure === null ? '' : goalTitle(told(failure.message));
  }
}
