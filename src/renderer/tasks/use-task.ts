/** One task while it happens, its steps in order, and on demand the ones that came before those the host sends. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { AppError } from '../../contract/errors.ts';
import type { TaskStepView, TaskSummary } from '../../contract/task-methods.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface LiveTask {
  /** Undefined until the host has told it; null: there is none. */
  readonly task: TaskSummary | null | undefined;
  readonly steps: readonly TaskStepView[];
  /** There are steps before the first of these. */
  readonly more: boolean;
  /** Why it cannot be seen now. */
  readonly ended: string | null;
  readonly error: AppError | null;
  earlier(): void;
}

const pageSize = 200;

export function useTask(number: number): LiveTask {
  const replica = useReplica();
  // Held for as long as the page lives, whatever else the replica forgets meanwhile.
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
    // Asked for twice, they came twice.
    setPast((known) => (known[0] !== undefined && known[0].number < first ? known : [...older, ...known]));
  }, [replica, number, first]);
  return { task: view?.task, steps, more: first > 1, ended, error, earlier: () => void earlier() };
}
