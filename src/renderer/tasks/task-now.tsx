import { useNow } from '../parts/time.tsx';
import { nowWords } from './task-words.ts';
import { useAtWork, useTasksView } from './use-tasks.ts';

/** What a task comes to right now, where somebody else waits for it; nothing while it is not known. */
export function TaskNow({ task: number }: { task: number }) {
  const task = useTasksView((view) => view?.tasks[String(number)] ?? null);
  const atWork = useAtWork();
  const now = useNow();
  const words = task === null ? '' : nowWords(task, now, atWork);
  return words === '' ? null : (
    <>
      {' · '}
      <bdi>{words}</bdi>
    </>
  );
}
