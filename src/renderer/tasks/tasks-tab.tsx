import type { HostText } from '../../language/host-message.ts';
import { localize, t } from '../../language/texts.ts';
import { BulkReport } from '../lists/bulk-bar.tsx';
import { Empty } from '../parts/empty.tsx';
import { Note } from '../parts/notes.tsx';
import { Segments } from '../parts/segments.tsx';
import { useNow } from '../parts/time.tsx';
import { setPreferences, usePreferences } from '../state/preferences.ts';
import { Board } from './board.tsx';
import { allTasks, fitsTask, hasTaskFilter, listOf, useBoard, want } from './board-state.ts';
import { TaskComposer } from './task-composer.tsx';
import { Figures } from './task-figures.tsx';
import { TaskFilter } from './task-filter.tsx';
import { TaskHistory } from './task-history.tsx';
import { TaskRows } from './task-rows.tsx';
import { useLookCounts, useTasks, useTasksEnded } from './use-tasks.ts';
import { WorkersLine } from './workers-line.tsx';

type View = 'board' | 'list' | 'history' | 'figures';

export function TasksTab() {
  const live = usePreferences((look) => look.tasks);
  const place = useBoard((board) => board.view);
  const shown: View = place === 'live' ? live : place;
  return (
    <div className="stack">
      <TaskComposer />
      <div className="tasks-tools">
        <Segments
          label={t('tasks.views')}
          value={shown}
          options={[
            ['board', t('tasks.board')],
            ['list', t('tasks.asList')],
            ['history', t('tasks.history')],
            ['figures', t('tasks.figures')],
          ]}
          onChange={choose}
        />
        <WorkersLine />
      </div>
      {(shown === 'board' || shown === 'figures') && <BulkReport list="tasks" />}
      {shown === 'figures' && <Figures />}
      {shown === 'history' && <TaskHistory />}
      {(shown === 'board' || shown === 'list') && <LiveTasks view={shown} />}
    </div>
  );
}

function choose(view: View): void {
  const isLive = view === 'board' || view === 'list';
  if (isLive) setPreferences({ tasks: view });
  useBoard.setState({ view: isLive ? 'live' : view, past: '' });
}

function LiveTasks({ view }: { view: 'board' | 'list' }) {
  const tasks = useTasks();
  const ended = useTasksEnded();
  const counts = useLookCounts();
  const wanted = useBoard((board) => board.wanted);
  const now = useNow();
  if (tasks === null) return ended === null ? <Skeleton /> : <Unreadable why={ended} />;
  const fitting = tasks.filter((task) => fitsTask(wanted, task));
  if (tasks.length === 0) return <NoTasks />;
  return (
    <>
      <search className="filters">
        <TaskFilter wanted={wanted} onChange={want} />
      </search>
      {view === 'list' ? (
        <TaskRows label={t('tasks.list')} tasks={listOf(fitting, now)} none={<NoneFits />} />
      ) : fitting.length === 0 ? (
        <NoneFits />
      ) : (
        <Board tasks={fitting} counts={hasTaskFilter(wanted) ? null : counts} />
      )}
      {view === 'list' && tasks.length >= 100 && <p className="fine">{t('tasks.latestOnly')}</p>}
    </>
  );
}

const NoTasks = () => (
  <Empty title={t('tasks.emptyTitle')}>
    <p>{t('tasks.empty')}</p>
  </Empty>
);

const NoneFits = () => (
  <p className="card-empty" role="status">
    {t('tasks.noneFits')}{' '}
    <button type="button" className="link" onClick={() => want(allTasks)}>
      {t('tasks.showAll')}
    </button>
  </p>
);

const Unreadable = ({ why }: { why: HostText }) => (
  <div role="alert">
    <Note tone="warning">
      <p>{t('tasks.unreadable', { why: localize(why) })}</p>
      <p className="note-hint">{t('tasks.triesAgain')}</p>
    </Note>
  </div>
);

/** Has the height of the columns, so that the layout does not shift. */
function Skeleton() {
  return (
    <div className="board" role="status">
      <span className="visually-hidden">{t('tasks.reading')}</span>
      {[0, 1, 2, 3].map((column) => (
        <div key={column} className="board-column is-skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}
