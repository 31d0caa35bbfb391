import { useCallback } from 'react';
import { t } from '../../language/texts.ts';
import { showError, showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { openTask } from './open-task.ts';

/** Forks a task after a step: the new task has the same first steps. Opens the new task. */
export function useFork(task: number): (after: number) => Promise<void> {
  const { link } = useReplica();
  return useCallback(
    async (after) => {
      const made = await link.call('tasks.fork', { task, after });
      if (!made.ok) return showError(made.error);
      showNotice(t('tasks.forked', { number: String(made.value.id) }));
      openTask(made.value.id);
    },
    [link, task],
  );
}
