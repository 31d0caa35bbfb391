import { memo, useId, useState } from 'react';
import type { TaskStepView, TaskSummary } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import { exactTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { LabelledText } from '../parts/labelled-text.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { durationWords } from '../work/turn-text.ts';
import { useFork } from './use-fork.ts';
import type { LiveTask } from './use-task.ts';

/** Live list of steps, oldest first; each one expands to its result. */
export function TaskSteps({ live, task }: { live: LiveTask; task: TaskSummary }) {
  const { steps, more, earlier } = live;
  // A step may wait for a workflow run that it started.
  const going = task.status === 'running' || task.waitingFor?.kind === 'run';
  return (
    <section className="card task-steps-card" aria-labelledby="task-steps">
      <h2 id="task-steps">{t('tasks.stepsTitle')}</h2>
      {more && steps.length > 0 && (
        <p>
          <button type="button" className="button is-small" onClick={earlier}>
            {t('tasks.earlier')}
          </button>
        </p>
      )}
      {steps.length === 0 && (
        <p className="card-empty">
          {t(task.status === 'pending' ? 'tasks.noStepsPending' : 'tasks.noSteps')}
        </p>
      )}
      <ol className="task-steps">
        {steps.map((step) => (
          <Step key={step.number} task={task.id} step={step} going={going} />
        ))}
      </ol>
    </section>
  );
}

type StepState = 'Open' | 'Done' | 'Failed' | 'Unknown';

function stateOf({ endedAt, error }: TaskStepView, going: boolean): StepState {
  if (endedAt === null) return going ? 'Open' : 'Unknown';
  return error === null ? 'Done' : 'Failed';
}

interface StepOf {
  readonly task: number;
  readonly step: TaskStepView;
  /** A worker is running the task. */
  readonly going: boolean;
}

const Step = memo(function Step({ task, step, going }: StepOf) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const state = stateOf(step, going);
  const { number, kind, startedAt, endedAt } = step;
  return (
    <li className={`task-step is-${state.toLowerCase()} is-${kind}`}>
      <button
        type="button"
        className="line-button task-step-line"
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        onClick={() => setShown(!shown)}
      >
        <span className="task-step-number fine">{number}</span>
        <StepWords step={step} />
        <span className="task-step-end fine">
          {state === 'Done' && endedAt !== null
            ? durationWords(endedAt - startedAt)
            : t(`tasks.step${state}`)}
          {state === 'Done' && <span className="visually-hidden"> {t('tasks.stepDone')}</span>}
        </span>
      </button>
      {shown && (
        <div id={id} className="task-step-details stack">
          <StepDetails task={task} step={step} />
        </div>
      )}
    </li>
  );
});

/** Characters of a step shown in the list. */
const glance = 300;

/** Action and result of a step; a decision shows the model's text. */
function StepWords({ step: { kind, action, result, error } }: Pick<StepOf, 'step'>) {
  const out = visibleLine((error ?? result ?? '').slice(0, glance));
  const named = action === kind ? '' : visibleLine(action.slice(0, glance));
  return (
    <span className="task-step-words">
      <span className="turn-line">
        <span className="fall-kind">{t(kind === 'action' ? 'tasks.stepAction' : 'tasks.stepDecision')}</span>{' '}
        <bdi>{named === '' ? out : named}</bdi>
      </span>
      {named !== '' && out !== '' && (
        <span className="turn-line fine">
          <bdi>{out}</bdi>
        </span>
      )}
    </span>
  );
}

function StepDetails({ task, step }: Omit<StepOf, 'going'>) {
  const read = useAction('tasks.step');
  const fork = useFork(task);
  const [whole, setWhole] = useState<Pick<TaskStepView, 'result' | 'error'> | null>(null);
  const { result, error } = whole ?? step;
  const all = async (): Promise<void> => {
    const found = await read.run({ task, step: step.number });
    if (found.ok) setWhole(found.value);
  };
  return (
    <>
      <p className="fine">
        <time dateTime={new Date(step.startedAt).toISOString()}>{exactTime(step.startedAt)}</time>
      </p>
      <LabelledText label={t('tasks.stepAction')} text={step.action === step.kind ? '' : step.action} />
      <LabelledText label={t('tasks.stepResult')} text={result ?? ''} />
      <LabelledText label={t('tasks.stepError')} text={error ?? ''} />
      {step.endedAt !== null && (result ?? '') === '' && (error ?? '') === '' && (
        <p className="fine">{t('tasks.nothingOut')}</p>
      )}
      <ErrorNote error={read.error} />
      <p className="turn-links">
        {step.cut && whole === null && (
          <button type="button" className="button is-small" disabled={read.busy} onClick={() => void all()}>
            {t('tasks.showWhole')}
          </button>
        )}
        {step.endedAt !== null && (
          <button type="button" className="button is-small" onClick={() => void fork(step.number)}>
            {t('tasks.forkHere')}
          </button>
        )}
      </p>
    </>
  );
}
