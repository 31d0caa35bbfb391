/** The tasks as the host tells them; this topic is followed as long as the page lives. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { TaskSummary, TasksView, TaskWorkers } from '../../contract/task-methods.ts';
import { useReplica } from '../state/subscriptions.ts';
import type { TaskLook } from './task-words.ts';

export const useTasksView = <T>(pick: (view: TasksView | null) => T): T =>
  useStore(useReplica().tasks.store, ({ state }) => pick(state));

/** Why there are none to be seen, in the host's words. */
export const useTasksEnded = (): string | null => useStore(useReplica().tasks.store, ({ ended }) => ended);

/** Null until the host has told them. */
export function useTasks(): readonly TaskSummary[] | null {
  const tasks = useTasksView((view) => view?.tasks ?? null);
  return useMemo(() => (tasks === null ? null : Object.values(tasks)), [tasks]);
}

/** Who works and whose tasks wait. Null until the host has told it. */
export const useAtWork = (): TaskWorkers | null => useTasksView((view) => view?.workers ?? null);

/** Of all there ever were. Null until the host has told them. */
export function useLookCounts(): Readonly<Record<TaskLook, number>> | null {
  const counts = useTasksView((view) => view?.counts ?? null);
  const cancelled = useTasksView((view) => view?.cancelled ?? 0);
  return useMemo(
    () => (counts === null ? null : { ...counts, error: counts.error - cancelled, cancelled }),
    [counts, cancelled],
  );
}

/** Names of projects that tasks in sight have. */
export function useProjects(): readonly string[] {
  const tasks = useTasks();
  return useMemo(() => {
    const names = (tasks ?? []).flatMap(({ project }) => (project === null ? [] : [project]));
    return [...new Set(names)].sort();
  }, [tasks]);
}
