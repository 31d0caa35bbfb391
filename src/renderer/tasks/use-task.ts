/** One live task with its steps in order; steps older than the topic's window load on request. */

import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { AppError } from '../../contract/errors.ts';
import type { TaskStepView, TaskSummary } from '../../contract/task-methods.ts';
import type { HostText } from '../../language/host-message.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface LiveTask {
  /** `undefined` until the host has answered; `null` if the task does not exist. */
  readonly task: TaskSummary | null | undefined;
  readonly steps: readonly TaskStepView[];
  /** Steps exist before the first one listed. */
  readonly more: boolean;
  /** Why the topic ended, or `null`. */
  readonly ended: HostText | null;
  readonly error: AppError | null;
  earlier(): void;
}

const pageSize = 200;

export function useTask(number: number): LiveTask {
  const replica = useReplica();
  // State keeps this topic even if the replica's cache evicts it.
  const [topic] = useState(() => replica.task(number));
  useEffect(() => topic.use(), [topic]);
  const view = useStore(topic.store, ({ state }) => state);
  const ended = useStore(topic.store, (value) => value.ended);
  const [past, setPast] = useState<readonly TaskStepView[]>([]);
  const [error, setError] = useState<AppError | null>(null);
  const live = useMemo(
    () => Object.values(view?.steps ?? {}).sort((a, b) => a.number - b.number),
    [view?.steps],
  );
  const steps = useMemo(() => {
    const first = live[0]?.number ?? Number.POSITIVE_INFINITY;
    return [...past.filter((step) => step.number < first), ...live];
  }, [past, live]);
  const first = steps[0]?.number ?? 1;
  const earlier = useCallback(async () => {
    const after = Math.max(0, first - 1 - pageSize);
    const page = await replica.link.call('tasks.steps', { task: number, after, limit: pageSize });
    setError(page.ok ? null : page.error);
    if (!page.ok) return;
    const older = page.value.steps.filter((step) => step.number < first);
    // A second call may have returned the same steps.
    setPast((known) => (known[0] !== undefined && known[0].number < first ? known : [...older, ...known]));
  }, [replica, number, first]);
  return { task: view?.task, steps, more: first > 1, ended, error, earlier: () => void earlier() };
}
