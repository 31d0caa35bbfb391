import { memo, type ReactNode, useMemo, useState } from 'react';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { sumWords } from '../../language/money.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ArrangedList } from '../lists/arranged-list.tsx';
import { Ago, useNow } from '../parts/time.tsx';
import { usePreferences } from '../state/preferences.ts';
import { useReplica } from '../state/subscriptions.ts';
import { taskArrangement } from './arranged-tasks.ts';
import { useBoard } from './board-state.ts';
import { openTask, useWayBack } from './open-task.ts';
import { taskActions } from './task-bulk.ts';
import { TaskSign } from './task-icon.tsx';
import { goalTitle, lookOf, lookWords, taskAgentText, taskNowText } from './task-state-text.ts';
import { useAtWork } from './use-tasks.ts';

interface RowsOf {
  readonly label: string;
  readonly tasks: readonly TaskSummary[];
  /** Shown instead of the rows if none exist. */
  readonly none: ReactNode;
  /** Loads further tasks; absent if all are given. */
  onMore?(): void;
}

const nameOf = (task: TaskSummary): string => `#${task.id} ${goalTitle(task.goal)}`;

export function TaskRows({ label, tasks, none, onMore }: RowsOf) {
  const { link } = useReplica();
  const chosen = usePreferences(({ lists }) => lists.tasks);
  const by = useMemo(() => taskArrangement(chosen), [chosen]);
  // The task that was left is rendered again, wherever it is in the list, and takes the focus.
  const [opened] = useState(() => useBoard.getState().opened);
  return (
    <ArrangedList
      list="tasks"
      label={label}
      rows={tasks}
      by={by}
      actions={taskActions(link)}
      current={opened === null ? null : String(opened)}
      none={none}
      nameOf={nameOf}
      render={(task, reachable) => <TaskRow task={task} reachable={reachable} />}
      {...(onMore ? { more: { label: t('tasks.older'), load: onMore } } : {})}
    />
  );
}

const TaskRow = memo(function TaskRow({ task, reachable }: { task: TaskSummary; reachable: boolean }) {
  const now = useNow();
  const atWork = useAtWork();
  const place = useWayBack(task.id);
  const words = taskNowText(task, now, atWork);
  const look = lookOf(task);
  return (
    <button
      type="button"
      data-item
      className={`row task-row is-${look}`}
      tabIndex={reachable ? 0 : -1}
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
          {task.archivedAt !== null && ` · ${t('tasks.archived')}`}
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
  );
});
