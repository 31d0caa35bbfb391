import { t } from '../../language/texts.ts';
import { openTask } from './open-task.ts';
import { goalTitle } from './task-words.ts';
import { useTasksView } from './use-tasks.ts';

/** The task that waits for the answer to a question; null: it was asked elsewhere. */
export function useTaskOf(approvalId: string) {
  return useTasksView((view) => {
    const all = Object.values(view?.tasks ?? {});
    return all.find(({ waitingFor: w }) => w?.kind === 'approval' && w.approvalId === approvalId) ?? null;
  });
}

/** Leads from a question to the whole of what it is asked for. */
export function TaskOfQuestion({ task }: { task: NonNullable<ReturnType<typeof useTaskOf>> }) {
  const { id, goal } = task;
  return (
    <button type="button" className="link" onClick={() => openTask(id)}>
      <bdi>{t('tasks.ofQuestion', { number: String(id), goal: goalTitle(goal) })}</bdi>
    </button>
  );
}
