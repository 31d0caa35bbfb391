import { type ReactNode, useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import type { RunAgain, RunStep } from '../../contract/workflow-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { readableJson } from '../format/readable-json.ts';
import { exactTime, untilTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useNow } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { TaskNow } from '../tasks/task-now.tsx';
import type { TimeScale } from '../work/time-scale.ts';
import { durationWords } from '../work/turn-text.ts';
import { taskPlace } from '../work/work-address.ts';
import { TextBox } from './json-details.tsx';
import { AgainFrom } from './run-again-from.tsx';
import { StepBar } from './step-bar.tsx';
import { StepSign } from './step-icon.tsx';
import { type ShownStepState, stepStateWords } from './step-text.ts';
import { shortWaitMs, waitedOf } from './step-times.ts';

/** Makes labels unique on the page. */
const of = (part: string, { path }: RunStep): string =>
  t('workflows.partOf', { part, path: visibleLine(path) });

interface RowOf {
  readonly run: string;
  readonly step: RunStep;
}

/** One step with state and duration; expands to its result. */
export function StepRow({
  run,
  step,
  state,
  scale,
  now,
  over,
  onAgain,
}: RowOf & {
  readonly state: ShownStepState;
  /** Scale of the whole run. */
  readonly scale: TimeScale;
  /** Current time, or the end of a finished run. */
  readonly now: number;
  /** The run has ended. */
  readonly over: boolean;
  onAgain(from: RunAgain): void;
}) {
  const [open, setOpen] = useState(false);
  const goesOn = step.endedAt === null && state === 'running';
  const waited = waitedOf(step, now);
  const timeless = state === 'skipped' || step.taken || (step.endedAt === null && !goesOn);
  const took = timeless ? '' : durationWords((step.endedAt ?? now) - step.startedAt);
  return (
    <li className={`run-step is-${state}`}>
      <button type="button" className="row step-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <StepSign state={state} />
        <span className="turn-words">
          <span className="turn-line">
            <code>{visibleLine(step.path)}</code>
          </span>
          <span className="fine turn-line">
            <span className="turn-state">{stepStateWords(state)}</span>
            {step.taken && ` · ${t('workflows.taken')}`}
            {step.attempts > 1 && ` · ${t('workflows.attempts', { n: step.attempts })}`}
            {waited >= shortWaitMs && ` · ${t('workflows.waitedFor', { time: durationWords(waited) })}`}
            {goesOn && step.task !== null && <TaskNow task={step.task} />}
            {step.error !== '' && (
              <>
                {' · '}
                <bdi>{visibleLine(localize(step.error))}</bdi>
              </>
            )}
          </span>
          <StepBar step={step} scale={scale} now={now} />
        </span>
        <span className="fine step-took">{took}</span>
        <Icon name="chevron" size={14} />
      </button>
      {open && (
        <StepDetails run={run} step={step}>
          {over && <AgainFrom run={run} path={step.path} onAgain={onAgain} />}
        </StepDetails>
      )}
    </li>
  );
}

function StepDetails({ run, step, children }: RowOf & { readonly children: ReactNode }) {
  const now = useNow();
  const { task } = step;
  return (
    <div className="step-details stack">
      <p className="fine">
        {t('workflows.began', { time: exactTime(step.startedAt) })}
        {` · ${t(`workflows.effect_${step.effect}`)}`}
        {step.retryAt !== null && ` · ${t('workflows.retryAt', { when: untilTime(step.retryAt, now) })}`}
      </p>
      {task !== null && (
        <p>
          <button type="button" className="link" onClick={() => go({ view: 'work', place: taskPlace(task) })}>
            {t('workflows.toTask', { n: String(task) })}
          </button>
        </p>
      )}
      {step.error !== '' && (
        <TextBox label={of(t('workflows.stepError'), step)} text={localize(step.error)} />
      )}
      <Output run={run} step={step} />
      {children}
    </div>
  );
}

/** Shows the beginning at once and the whole output on request. */
function Output({ run, step }: RowOf) {
  const whole = useAction('runs.step');
  const [all, setAll] = useState<MethodOutput<'runs.step'> | null>(null);
  const load = async (): Promise<void> => {
    const result = await whole.run({ run, path: step.path });
    if (result.ok) setAll(result.value);
  };
  return (
    <>
      {all === null && step.output !== '' && (
        <TextBox label={of(t('workflows.output'), step)} text={step.output} />
      )}
      {all === null && step.output === '' && <p className="fine">{t('workflows.noOutput')}</p>}
      {all !== null && all.stdout !== '' && (
        <TextBox label={of(t('workflows.stdout'), step)} text={all.stdout} />
      )}
      {all !== null && all.json !== '' && (
        <TextBox label={of(t('workflows.json'), step)} text={readableJson(all.json)} />
      )}
      {all !== null && all.stdout === '' && all.json === '' && (
        <p className="fine">{t('workflows.noOutput')}</p>
      )}
      <ErrorNote error={whole.error} />
      {all === null && (step.cut || step.output !== '') && (
        <div>
          <button type="button" className="button is-small" disabled={whole.busy} onClick={() => void load()}>
            {t('workflows.allOutput')}
          </button>
        </div>
      )}
    </>
  );
}
