/** Reads the tasks topic, which stays subscribed while the page is open. */

import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { TaskSummary, TasksView, TaskWorkers } from '../../contract/task-methods.ts';
import type { HostText } from '../../language/host-message.ts';
import { useReplica } from '../state/subscriptions.ts';
import type { TaskLook } from './task-state-text.ts';

export const useTasksView = <T>(pick: (view: TasksView | null) => T): T =>
  useStore(useReplica().tasks.store, ({ state }) => pick(state));

/** The host's reason for closing the topic, or `null`. */
export const useTasksEnded = (): HostText | null => useStore(useReplica().tasks.store, ({ ended }) => ended);

/** `null` until the host has sent them. */
export function useTasks(): readonly TaskSummary[] | null {
  const tasks = useTasksView((view) => view?.tasks ?? null);
  return useMemo(() => (tasks === null ? null : Object.values(tasks)), [tasks]);
}

/** Workers and queues, or `null` until the host has sent them. */
export const useAtWork = (): TaskWorkers | null => useTasksView((view) => view?.workers ?? null);

/** Counts of all tasks ever created, or `null` until the host has sent them. */
export function useLookCounts(): Readonly<Record<TaskLook, number>> | null {
  const counts = useTasksView((view) => view?.counts ?? null);
  const cancelled = useTasksView((view) => view?.cancelled ?? 0);
  return useMemo(
    () => (counts === null ? null : { ...counts, error: counts.error - cancelled, cancelled }),
    [counts, cancelled],
  );
}

export function useProjects(): readonly string[] {
  const tasks = useTasks();
  return useMemo(() => {
    const names = (tasks ?? []).flatMap(({ project }) => (project === null ? [] : [project]));
    return [...new Set(names)].sort();
  }, [tasks]);
}
