import type { Approval } from '../../contract/approvals.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import { useRoute } from '../state/route.ts';
import { taskPlace } from '../work/work-address.ts';
import { openTask } from './open-task.ts';
import { goalTitle } from './task-state-text.ts';
import { useTasksView } from './use-tasks.ts';

/**
 * The task that waits for this approval, directly or through its run. Returns `null` if none does or if its
 * page is open.
 */
export function useTaskOf({ id, gate }: Pick<Approval, 'id' | 'gate'>): TaskSummary | null {
  const here = useRoute(({ route }) => (route.view === 'work' ? route.place : null));
  const found = useTasksView(
    (view) =>
      Object.values(view?.tasks ?? {}).find(
        ({ waitingFor: w }) =>
          (w?.kind === 'approval' && w.approvalId === id) || (w?.kind === 'run' && w.run === gate?.runId),
      ) ?? null,
  );
  return found === null || here === taskPlace(found.id) ? null : found;
}

/** Link from an approval to its task. */
export function TaskOfQuestion({ task }: { task: TaskSummary }) {
  const { id, goal } = task;
  return (
    <button type="button" className="link" onClick={() => openTask(id)}>
      <bdi>{t('tasks.ofQuestion', { number: String(id), goal: goalTitle(goal) })}</bdi>
    </button>
  );
}
