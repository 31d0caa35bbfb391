import { useEffect, useMemo, useRef } from 'react';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { AskList } from '../inbox/ask-list.tsx';
import { Icon } from '../mark/icon.tsx';
import { Empty } from '../parts/empty.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { takeFocus } from '../parts/take-focus.ts';
import { useNow } from '../parts/time.tsx';
import { useAsked, useShown } from '../state/approvals.ts';
import { go } from '../state/route.ts';
import { ChangesList } from '../undo/changes-list.tsx';
import { SettleStep } from './settle-step.tsx';
import { TaskActions } from './task-actions.tsx';
import { TaskBranch } from './task-branch.tsx';
import { TaskEnd } from './task-end.tsx';
import { TaskFacts } from './task-facts.tsx';
import { TaskSign } from './task-icon.tsx';
import { TaskMemory } from './task-memory.tsx';
import { goalTitle, lookOf, lookWords, taskNowText } from './task-state-text.ts';
import { TaskSteps } from './task-steps.tsx';
import { type LiveTask, useTask } from './use-task.ts';
import { useAtWork } from './use-tasks.ts';

export function TaskPage({ number }: { number: number }) {
  const live = useTask(number);
  const { task, ended, error } = live;
  return (
    <div className="page work task">
      <p>
        <button type="button" className="link turn-back" onClick={() => go({ view: 'work', place: null })}>
          <Icon name="back" size={16} /> {t('tasks.back')}
        </button>
      </p>
      <ErrorNote error={error} />
      {task === undefined && ended === null && (
        <div className="stack" role="status">
          <span className="visually-hidden">{t('tasks.reading')}</span>
          <div className="board-column is-skeleton" aria-hidden="true" />
        </div>
      )}
      {task === undefined && ended !== null && (
        <div role="alert">
          <Note tone="warning">
            <p>{t('tasks.unreadable', { why: localize(ended) })}</p>
            <p className="note-hint">{t('tasks.triesAgain')}</p>
          </Note>
        </div>
      )}
      {task === null && (
        <Empty state="offline" title={t('tasks.goneTitle', { number: String(number) })}>
          <p>{t('tasks.gone')}</p>
        </Empty>
      )}
      {task && <Known live={live} task={task} />}
    </div>
  );
}

function Known({ live, task }: { live: LiveTask; task: TaskSummary }) {
  const head = useRef<HTMLHeadingElement>(null);
  // An approval on the page may already have the focus on its deny button.
  useEffect(() => {
    if (document.activeElement?.closest('[data-ask]') == null) takeFocus(head.current);
  }, []);
  return (
    <>
      <header className="page-head task-head">
        <div>
          <h1 ref={head} tabIndex={-1}>
            {goalTitle(task.goal)}
          </h1>
          <State task={task} />
        </div>
        <TaskActions task={task} />
      </header>
      <div className="stack">
        <Waits task={task} live={live} />
        <TaskEnd task={task} />
        <TaskBranch task={task} />
        <div className="two-columns task-columns-page">
          <div className="stack">
            <TaskSteps live={live} task={task} />
            <ChangesList of={{ task: task.id }} />
            <TaskMemory task={task} />
          </div>
          <TaskFacts task={task} />
        </div>
      </div>
    </>
  );
}

function State({ task }: { task: TaskSummary }) {
  const now = useNow(1_000);
  const atWork = useAtWork();
  const look = lookOf(task);
  // The result or the failure is shown below in full.
  const words = task.status === 'done' || task.status === 'error' ? '' : taskNowText(task, now, atWork);
  return (
    <p className="task-now" aria-live="polite">
      <TaskSign look={look} />
      <span className={`chip task-chip is-${look}`}>{lookWords(look)}</span>
      <span className="soft">{t('tasks.named', { number: String(task.id) })}</span>
      {words !== '' && <bdi>{words}</bdi>}
    </p>
  );
}

/** Approvals that block the task; an answered one stays as one line. */
function Waits({ task, live }: { task: TaskSummary; live: LiveTask }) {
  const asked = useAsked();
  const id = task.waitingFor?.kind === 'approval' ? task.waitingFor.approvalId : null;
  const run = task.waitingFor?.kind === 'run' ? task.waitingFor.run : null;
  const mine = useMemo(
    () => asked.filter((one) => one.id === id || (run !== null && one.gate?.runId === run)),
    [asked, id, run],
  );
  const shown = useShown(mine);
  const step = task.waitingFor?.kind === 'unknown-step' ? task.waitingFor.step : null;
  return (
    <>
      <AskList shown={shown} focus={id} />
      {run !== null && (
        <Note tone="plain">
          <p>{t('tasks.runGoesOn')}</p>
          <p>
            <button type="button" className="link" onClick={() => go({ view: 'work', place: `run:${run}` })}>
              {t('gates.openRun')}
            </button>
          </p>
        </Note>
      )}
      {step !== null && (
        <SettleStep task={task} number={step} step={live.steps.find((one) => one.number === step)} />
      )}
    </>
  );
}
