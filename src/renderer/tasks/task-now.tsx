import { useNow } from '../parts/time.tsx';
import { taskNowText } from './task-state-text.ts';
import { useAtWork, useTasksView } from './use-tasks.ts';

/** Current state of a task in another item's line; renders nothing if it is unknown. */
export function TaskNow({ task: number }: { task: number }) {
  const task = useTasksView((view) => view?.tasks[String(number)] ?? null);
  const atWork = useAtWork();
  const now = useNow();
  const words = task === null ? '' : taskNowText(task, now, atWork);
  return words === '' ? null : (
    <>
      {' · '}
      <bdi>{words}</bdi>
    </>
  );
}
