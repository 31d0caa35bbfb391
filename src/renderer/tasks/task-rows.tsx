import { memo, useState } from 'react';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { sumWords } from '../../language/money.ts';
import { t } from '../../language/texts.ts';
import { Ago, useNow } from '../parts/time.tsx';
import { visibleLine } from '../words/visible-text.ts';
import { openTask, useWayBack } from './open-task.ts';
import { TaskSign } from './task-sign.tsx';
import { goalTitle, lookOf, lookWords, taskAgentText, taskNowText } from './task-words.ts';
import { useAtWork } from './use-tasks.ts';

const pageSize = 100;

interface RowsOf {
  readonly label: string;
  readonly tasks: readonly TaskSummary[];
  /** Loads further tasks; absent if all are given. */
  onMore?(): void;
}

export function TaskRows({ label, tasks, onMore }: RowsOf) {
  const [size, setSize] = useState(pageSize);
  const rest = onMore ? 0 : tasks.length - size;
  return (
    <div className="stack">
      <ul className="card rows-card tasks" aria-label={label}>
        {(onMore ? tasks : tasks.slice(0, size)).map((task) => (
          <TaskRow key={task.id} task={task} />
        ))}
      </ul>
      {(rest > 0 || onMore) && (
        <div>
          <button
            type="button"
            className="button is-small"
            onClick={onMore ?? (() => setSize(size + pageSize))}
          >
            {onMore ? t('tasks.older') : t('tasks.more', { n: rest })}
          </button>
        </div>
      )}
    </div>
  );
}

const TaskRow = memo(function TaskRow({ task }: { task: TaskSummary }) {
  const now = useNow();
  const atWork = useAtWork();
  const place = useWayBack(task.id);
  const words = taskNowText(task, now, atWork);
  const look = lookOf(task);
  return (
    <li className="task-item">
      <button
        type="button"
        className={`row task-row is-${look}`}
        ref={place}
        onClick={() => openTask(task.id)}
      >
        <TaskSign look={look} />
        <span className="turn-words">
          <span className="turn-line">
            <span className="task-number soft">#{task.id}</span> <bdi>{goalTitle(task.goal)}</bdi>
          </span>
          <span className="fine turn-line">
            <span className="task-state">{lookWords(look)}</span>
            {words !== '' && (
              <>
                {' · '}
                <bdi>{words}</bdi>
              </>
            )}
          </span>
        </span>
        <span className="task-columns fine">
          <bdi>{taskAgentText(task)}</bdi>
          <bdi>{task.project === null ? '' : visibleLine(task.project)}</bdi>
          <span>{t('tasks.steps', { n: task.steps })}</span>
          <span>{sumWords(task.used)}</span>
        </span>
        <span className="row-time">
          <Ago at={task.updatedAt} />
        </span>
      </button>
    </li>
  );
});
