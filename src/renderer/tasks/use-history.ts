/** Pages of all tasks ever created, filtered by the host. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { useReplica } from '../state/subscriptions.ts';
import type { WantedTasks } from './board-state.ts';
import type { TaskLook } from './task-words.ts';
import { useTasksView } from './use-tasks.ts';

export interface WantedHistory extends WantedTasks {
  /** Empty for all. */
  readonly status: TaskLook | '';
}

export interface History {
  /** `null` until the first page arrives. */
  readonly tasks: readonly TaskSummary[] | null;
  readonly more: boolean;
  readonly error: AppError | null;
  older(): void;
}

/** Debounce of typing and of reloads while tasks change, in ms. */
const pauseMs = 250;

const statusOf = (look: TaskLook) =>
  look === 'error' || look === 'cancelled'
    ? { status: 'error' as const, cancelled: look === 'cancelled' }
    : { status: look };

const queryOf = ({ agent, project, text, status }: WantedHistory) => ({
  ...(agent === '' ? {} : { agent }),
  ...(project === '' ? {} : { project }),
  ...(text.trim() === '' ? {} : { text: text.trim() }),
  ...(status === '' ? {} : statusOf(status)),
});

const pageSize = 50;
const mostAtOnce = 500;

export function useTaskHistory(wanted: WantedHistory): History {
  const { link } = useReplica();
  const live = useTasksView((view) => view?.tasks ?? null);
  const counts = useTasksView((view) => JSON.stringify(view?.counts ?? null));
  const [read, setRead] = useState<readonly TaskSummary[] | null>(null);
  const [more, setMore] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(
    async (known: readonly TaskSummary[], size: number, left: () => boolean = () => false) => {
      const before = known.at(-1)?.id;
      const page = await link.call('tasks.list', {
        ...queryOf(wanted),
        limit: size,
        ...(before === undefined ? {} : { before }),
      });
      if (left()) return;
      setError(page.ok ? null : page.error);
      if (!page.ok) return;
      setRead([...known, ...page.value.tasks]);
      setMore(page.value.hasMore);
    },
    [link, wanted],
  );
  const shown = useRef({ wanted, n: 0 });
  // A new filter starts at the first page; a reload for changed tasks keeps the number of loaded rows.
  if (shown.current.wanted !== wanted) shown.current = { wanted, n: 0 };
  else shown.current.n = read?.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew when a task was added or changed its status
  useEffect(() => {
    let left = false;
    const size = Math.min(mostAtOnce, Math.max(pageSize, shown.current.n));
    const timer = setTimeout(() => void load([], size, () => left), read === null ? 0 : pauseMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [load, counts]);
  const tasks = read?.map((task) => live?.[String(task.id)] ?? task) ?? null;
  return { tasks, more, error, older: () => void load(read ?? [], pageSize) };
}
