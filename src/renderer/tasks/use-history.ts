/** Pages of all tasks ever created, filtered by the host. */
import { useCallback } from 'react';
import { ok } from '../../contract/result.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { useReplica } from '../state/subscriptions.ts';
import { type Pages, type ReadPage, usePages } from '../state/use-pages.ts';
import type { WantedTasks } from './board-state.ts';
import type { TaskLook } from './task-state-text.ts';
import { useTasksView } from './use-tasks.ts';

export interface WantedHistory extends WantedTasks {
  /** Empty for all. */
  readonly status: TaskLook | 'archived' | '';
}

const statusOf = (look: TaskLook) =>
  look === 'error' || look === 'cancelled'
    ? { status: 'error' as const, cancelled: look === 'cancelled' }
    : { status: look };

const queryOf = ({ agent, project, text, status }: WantedHistory) => ({
  ...(agent === '' ? {} : { agent }),
  ...(project === '' ? {} : { project }),
  ...(text.trim() === '' ? {} : { text: text.trim() }),
  ...(status === '' ? {} : status === 'archived' ? { archived: true } : statusOf(status)),
});

export function useTaskHistory(wanted: WantedHistory): Pages<TaskSummary> {
  const { link } = useReplica();
  const live = useTasksView((view) => view?.tasks ?? null);
  const counts = useTasksView((view) => JSON.stringify(view?.counts ?? null));
  const read: ReadPage<TaskSummary> = useCallback(
    async (limit, last) => {
      const before = last === undefined ? {} : { before: last.id };
      const page = await link.call('tasks.list', { ...queryOf(wanted), limit, ...before });
      return page.ok ? ok({ items: page.value.tasks, hasMore: page.value.hasMore }) : page;
    },
    [link, wanted],
  );
  const pages = usePages(read, counts);
  return { ...pages, items: pages.items?.map((task) => live?.[String(task.id)] ?? task) ?? null };
}
