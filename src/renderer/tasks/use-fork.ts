import { useCallback } from 'react';
import { t } from '../../language/texts.ts';
import { say, sayError } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { openTask } from './open-task.ts';

/** Makes a new task that has the first steps of this one behind it, and goes there. */
export function useFork(task: number): (after: number) => Promise<void> {
  const { link } = useReplica();
  return useCallback(
    async (after) => {
      const made = await link.call('tasks.fork', { task, after });
      if (!made.ok) return sayError(made.error);
      say(t('tasks.forked', { number: String(made.value.id) }));
      openTask(made.value.id);
    },
    [link, task],
  );
}
