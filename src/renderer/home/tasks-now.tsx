import { t } from '../../language/texts.ts';
import { useNow } from '../parts/time.tsx';
import { go } from '../state/route.ts';
import { listOf } from '../tasks/board-state.ts';
import { openTask } from '../tasks/open-task.ts';
import { TaskSign } from '../tasks/task-icon.tsx';
import { goalTitle, lookWords, taskAgentText, taskNowText } from '../tasks/task-state-text.ts';
import { useAtWork, useTasks } from '../tasks/use-tasks.ts';

const most = 5;

/** Unfinished tasks; those that need the operator come first. */
export function TasksNow() {
  const tasks = useTasks();
  const now = useNow();
  const atWork = useAtWork();
  const open = listOf(tasks ?? [], now).filter(({ status }) => status !== 'done' && status !== 'error');
  if (open.length === 0) return null;
  return (
    <div className="tasks-now">
      <h3>{t('tasks.homeTitle')}</h3>
      <ul className="rows">
        {open.slice(0, most).map((task) => (
          <li key={task.id}>
            <button type="button" className="row" onClick={() => openTask(task.id)}>
              <TaskSign look={task.status} />
              <span className="row-now is-dark">
                <bdi>{goalTitle(task.goal)}</bdi>
              </span>
              <span className="row-time">
                <bdi>{taskAgentText(task)}</bdi>
              </span>
              <span className="row-time">{taskNowText(task, now, atWork) || lookWords(task.status)}</span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="link card-foot" onClick={() => go({ view: 'work', place: null })}>
        {open.length > most ? t('tasks.homeMore', { count: open.length }) : t('tasks.homeAll')}
      </button>
    </div>
  );
}
