import type { Dot } from '../../contract/model.ts';
import type { TaskState, TaskSummary, TaskWorkers } from '../../contract/task-methods.ts';
import { type TaskWait, waitOf } from '../../contract/task-waits.ts';
import { locale, localize, t } from '../../language/texts.ts';
import { untilTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';

export const openStates = ['pending', 'running', 'waiting', 'paused'] as const satisfies TaskState[];
/** State as shown: a cancelled task counts as cancelled, not as failed. */
export type TaskLook = TaskState | 'cancelled';
export const taskLooks = [...openStates, 'done', 'error', 'cancelled'] as const satisfies TaskLook[];

export const lookOf = ({ status, failure }: Pick<TaskSummary, 'status' | 'failure'>): TaskLook =>
  status === 'error' && failure?.kind === 'cancelled' ? 'cancelled' : status;

export const lookWords = (look: TaskLook): string => t(`tasks.status_${look}`);

/** States without a dot are shown by an icon. */
export const lookDots: Partial<Record<TaskLook, Dot>> = {
  pending: 'idle',
  running: 'working',
  waiting: 'needs_you',
  paused: 'offline',
  error: 'error',
};

const titlePoints = 160;

/** First line of a goal, shortened for a list. */
export function goalTitle(goal: string): string {
  const points = [...(goal.trim().split(/\r\n|[\n\r]/u)[0] ?? '')];
  const cut = points.length > titlePoints ? `${points.slice(0, titlePoints - 1).join('')}…` : points.join('');
  return visibleLine(cut);
}

/** Agent of a task: the current runner, the assigned agent, or any. */
export function taskAgentText(
  task: Pick<TaskSummary, 'agentId' | 'agentName' | 'runnerId' | 'runnerName'>,
): string {
  if (task.runnerId !== null && task.runnerName !== '') return visibleLine(task.runnerName);
  return task.agentId === null ? t('tasks.anyAgent') : visibleLine(task.agentName || task.agentId);
}

/** Priorities with a name; any other one is shown as a number. */
export const priorities = [10, 0, -10] as const;
const named = { '10': 'high', '0': 'normal', '-10': 'low' } as const;
const nameOf = (priority: number) => named[String(priority) as keyof typeof named];

/** For use after a label such as "Priority". */
export function priorityName(priority: number): string {
  const name = nameOf(priority);
  return name === undefined ? priority.toLocaleString(locale()) : t(`tasks.priority_${name}`);
}

/** For use without a label. */
export const priorityWords = (priority: number): string =>
  nameOf(priority) === undefined
    ? t('tasks.priorityNumber', { number: priorityName(priority) })
    : priorityName(priority);

/** Why a pending task has not started. */
function waitWords(wait: TaskWait, now: number): string {
  switch (wait.type) {
    case 'time':
      return t('tasks.startsIn', { when: untilTime(wait.at, now) });
    case 'agent': {
      const name = visibleLine(wait.name);
      const why = wait.life === 'gone' ? t('tasks.agentGone') : t(`states.life_${wait.life}`);
      return t('tasks.waitsForAgent', { name, why });
    }
    case 'place':
      return t('tasks.waitsForPlace', { name: visibleLine(wait.name) });
    case 'any-agent':
      return t('tasks.waitsForAnyAgent');
    case 'worker':
      return t('tasks.waitsForWorker');
  }
}

function waitingWords(waitingFor: NonNullable<TaskSummary['waitingFor']>): string {
  switch (waitingFor.kind) {
    case 'approval':
      return t('tasks.asksYou');
    case 'unknown-step':
      return t('tasks.asksAboutStep', { step: waitingFor.step });
    case 'run':
      return t('tasks.waitsForRun', { name: visibleLine(waitingFor.name) });
  }
}

/** Workers and queues, for the reason why a task waits; `null` if unknown. */
export type AtWork = Pick<TaskWorkers, 'workers' | 'lanes' | 'freeAgents'> | null;

const nobody = { workers: [], lanes: [], freeAgents: 1 };

/** Current state of a task as a phrase; empty if the status says enough. */
export function taskNowText(task: TaskSummary, now: number, atWork: AtWork): string {
  const { status, asked, steps, waitingFor, failure } = task;
  if (asked !== null) return t(`tasks.asked_${asked}`);
  switch (status) {
    case 'pending': {
      const wait = waitOf(task, atWork ?? nobody, now);
      return wait === null ? '' : waitWords(wait, now);
    }
    case 'running':
      return steps === 0 ? t('tasks.begins') : t('tasks.atStep', { step: steps });
    case 'waiting':
      return waitingFor === null ? '' : waitingWords(waitingFor);
    case 'paused':
      return t('tasks.steps', { n: steps });
    case 'done':
      return task.result === null ? '' : goalTitle(task.result);
    case 'error':
      return failure === null ? '' : goalTitle(localize(failure.message));
  }
}
