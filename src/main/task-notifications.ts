/** Derives notification events for tasks from two states of their topic. */
import type { NotifyKind } from '../contract/desktop-methods.ts';
import type { TaskSummary, TasksView } from '../contract/task-methods.ts';
import { localize } from '../language/texts.ts';
import type { NotificationEvent } from './notification-events.ts';

const taskRoute = (id: number): string => `#/work/${encodeURIComponent(`task:${id}`)}`;

/** The operator caused it, or reads the result in the thread it came from. */
const isHeardElsewhere = ({ status, failure, roomId }: TaskSummary): boolean =>
  failure?.kind === 'cancelled' || (status === 'done' && roomId !== null);

/** Approvals of tasks have their own notification; an interrupted step is not an approval. */
function kindOf(before: TaskSummary | null, after: TaskSummary): NotifyKind | null {
  const asks = (task: TaskSummary | null): boolean => task?.waitingFor?.kind === 'unknown-step';
  if (asks(after)) return asks(before) ? null : 'approvals';
  if (before?.status === after.status || isHeardElsewhere(after)) return null;
  if (after.status === 'done') return 'finished';
  return after.status === 'error' ? 'failed' : null;
}

/**
 * Tasks that ended or that need the operator. A task may end before it is first listed, and an old task may
 * be listed late, so an unknown task counts only if it was added after `since` (ms since the epoch).
 */
export function tasksChanged(before: TasksView | null, after: TasksView, since: number): NotificationEvent[] {
  if (before === null) return [];
  return Object.values(after.tasks).flatMap((task) => {
    const known = before.tasks[String(task.id)] ?? null;
    const kind = known === null && task.createdAt < since ? null : kindOf(known, task);
    if (kind === null) return [];
    const { goal, result, failure, runnerName, agentName } = task;
    const text =
      kind === 'finished' ? (result ?? goal) : kind === 'failed' ? (failure?.message ?? goal) : goal;
    const who = runnerName || agentName;
    return [
      { kind, who, text: localize(text), route: taskRoute(task.id), approval: null, about: 'task' as const },
    ];
  });
}
