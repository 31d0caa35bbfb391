import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { ChoiceField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { allTasks, hasTaskFilter, useBoard } from './board-state.ts';
import { TaskFilter } from './task-filter.tsx';
import { TaskRows } from './task-rows.tsx';
import { lookWords, taskLooks } from './task-state-text.ts';
import { useTaskHistory, type WantedHistory } from './use-history.ts';

/** All tasks ever created, filtered by text, agent, project and status. */
export function TaskHistory() {
  const [wanted, setWanted] = useState<WantedHistory>(() => ({
    ...allTasks,
    status: useBoard.getState().past,
  }));
  const change = (part: Partial<WantedHistory>): void => setWanted((old) => ({ ...old, ...part }));
  return (
    <>
      <search className="filters">
        <TaskFilter wanted={wanted} onChange={change} />
        <ChoiceField
          label={t('tasks.status')}
          value={wanted.status}
          options={[
            ['', t('tasks.allStatus')],
            ...taskLooks.map((one) => [one, lookWords(one)] as const),
            ['archived', t('tasks.archived')],
          ]}
          onChange={(status) => change({ status })}
        />
      </search>
      <FoundTasks
        wanted={wanted}
        label={t('tasks.historyList')}
        none={hasTaskFilter(wanted) || wanted.status !== '' ? t('tasks.noneFits') : t('tasks.historyNone')}
      />
    </>
  );
}

interface FoundOf {
  readonly wanted: WantedHistory;
  readonly label: string;
  /** Text of an empty result. */
  readonly none: string;
}

export function FoundTasks({ wanted, label, none }: FoundOf) {
  const { items: tasks, more, error, older } = useTaskHistory(wanted);
  return (
    <>
      <ErrorNote error={error} />
      {tasks === null && error === null && <Skeleton />}
      {tasks !== null && (
        <TaskRows
          label={label}
          tasks={tasks}
          none={
            <p className="card-empty" role="status">
              {none}
            </p>
          }
          {...(more ? { onMore: older } : {})}
        />
      )}
    </>
  );
}

/** Has the height of the rows, so that the layout does not shift. */
function Skeleton() {
  return (
    <div className="card rows-card tasks" role="status">
      <span className="visually-hidden">{t('tasks.reading')}</span>
      {[0, 1, 2, 3, 4].map((row) => (
        <div key={row} className="task-row is-skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}
