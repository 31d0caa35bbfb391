import { useId, useState } from 'react';
import type { Dot } from '../../contract/model.ts';
import type { PlanEntry, ToolStep } from '../../contract/work.ts';
import { localize, t } from '../../language/texts.ts';
import { lasting } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon, type IconName } from '../mark/icon.tsx';
import { DiffView, useDiff } from '../parts/diff-view.tsx';
import { ExactText } from '../parts/exact-text.tsx';
import { code } from '../parts/rich.tsx';
import { useAsked } from '../state/approvals.ts';
import { go } from '../state/route.ts';
import { StepsUndo, StepUndo, TurnUndo } from '../undo/step-undo.tsx';

const none: readonly ToolStep[] = [];
/** More steps than `mostSteps` fold into the newest `shownSteps` and a link to the rest. */
const mostSteps = 6;
const shownSteps = 4;

/** Tool calls before an agent's reply, one line each, which opens its details. */
export function Steps({ steps = none }: { steps?: readonly ToolStep[] }) {
  const [all, setAll] = useState(false);
  if (steps.length === 0) return null;
  const hidden = all || steps.length <= mostSteps ? 0 : steps.length - shownSteps;
  return (
    <StepsUndo steps={steps}>
      {hidden > 0 && (
        <button type="button" className="link steps-more" onClick={() => setAll(true)}>
          {t('workInChat.earlierSteps', { count: hidden })}
        </button>
      )}
      <ul className="steps-list" aria-label={t('workInChat.steps')}>
        {steps.slice(hidden).map((step) => (
          <Step key={step.callId} step={step} />
        ))}
      </ul>
      <TurnUndo steps={steps} />
    </StepsUndo>
  );
}

const stateWords = {
  running: 'workInChat.stepRunning',
  waiting: 'workInChat.stepWaiting',
  done: 'workInChat.stepDone',
  failed: 'workInChat.stepFailed',
  denied: 'workInChat.stepDenied',
  unknown: 'workInChat.stepUnknown',
} as const satisfies Record<ToolStep['state'], string>;

const dots: Partial<Record<ToolStep['state'], Dot>> = {
  running: 'working',
  waiting: 'needs_you',
  failed: 'error',
  unknown: 'offline',
};
const icons: Partial<Record<ToolStep['state'], IconName>> = { done: 'check', denied: 'minus' };

function Sign({ state }: { state: ToolStep['state'] }) {
  const dot = dots[state];
  const icon = icons[state];
  return (
    <>
      {dot !== undefined && <StateDot state={dot} size={12} label="" />}
      {icon !== undefined && <Icon name={icon} size={13} />}
      <span className="visually-hidden">{t('workInChat.stepSpoken', { state: t(stateWords[state]) })}</span>
    </>
  );
}

/** State in words if the step's title does not say it. */
const noteOf = (state: ToolStep['state']): string | null => {
  if (state === 'unknown') return t('workInChat.stepInterrupted');
  return state === 'failed' || state === 'denied' ? t(stateWords[state]) : null;
};

function Step({ step }: { step: ToolStep }) {
  const id = useId();
  // A plan is read at a glance, so it begins open.
  const [open, setOpen] = useState(step.plan !== undefined);
  const waits = useAsked().some((approval) => approval.id === step.approvalId);
  const note = noteOf(step.state);
  return (
    <li className={`step is-${step.state}`}>
      <p className="step-line">
        <button
          type="button"
          className="step-button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          <Sign state={step.state} />
          <bdi className="step-title">{visibleLine(localize(step.title))}</bdi>
          {note !== null && (
            <span className="step-note" aria-hidden="true">
              {note}
            </span>
          )}
          <Icon name="chevron" size={12} />
        </button>
        {waits && (
          <button
            type="button"
            className="link step-answer"
            onClick={() => go({ view: 'inbox', id: step.approvalId })}
          >
            {t('workInChat.waitsForAnswer')}
          </button>
        )}
        {step.restorePoint !== undefined && <StepUndo point={step.restorePoint} />}
      </p>
      {open && <Details step={step} id={id} />}
    </li>
  );
}

function Details({ step, id }: { step: ToolStep; id: string }) {
  return (
    <div className="step-details" id={id}>
      <p className="fine">
        {step.plan === undefined &&
          (step.endedAt === null
            ? code(visibleLine(step.tool))
            : t.rich('workInChat.took', {
                tool: visibleLine(step.tool),
                time: tookWords(step.endedAt - step.startedAt),
                code,
              }))}
      </p>
      {step.plan !== undefined && <Plan plan={step.plan} />}
      {step.change !== undefined && <Change change={step.change} />}
      {step.detail !== '' && step.change !== undefined && (
        <details className="more-fields">
          <summary>{t('workInChat.argumentsAndResult')}</summary>
          <Exact text={step.detail} />
        </details>
      )}
      {step.detail !== '' && step.change === undefined && <Exact text={step.detail} />}
    </div>
  );
}

function Exact({ text }: { text: string }) {
  return (
    // Long details scroll, so the keyboard must reach them.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <pre tabIndex={0}>
      <ExactText text={text} />
    </pre>
  );
}

function Change({ change }: { change: NonNullable<ToolStep['change']> }) {
  const lines = useDiff(change.before, change.after);
  return (
    <>
      <p className="fine">
        <code>{visibleLine(change.path)}</code>
      </p>
      <DiffView lines={lines} />
    </>
  );
}

const planIcons = { pending: 'minus', in_progress: 'play', completed: 'check' } as const;
const planWords = {
  pending: 'workInChat.planPending',
  in_progress: 'workInChat.planNow',
  completed: 'workInChat.planDone',
} as const;

function Plan({ plan }: { plan: readonly PlanEntry[] }) {
  return (
    <ol className="plan">
      {plan.map(({ text, state }, index) => (
        // Entries have no other identity than their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={index} className={`is-${state}`}>
          <Icon name={planIcons[state]} size={13} />
          <span className="visually-hidden">
            {t('workInChat.stepSpoken', { state: t(planWords[state]) })}
          </span>
          <bdi>{visibleLine(text)}</bdi>
        </li>
      ))}
    </ol>
  );
}

const tookWords = (ms: number): string =>
  ms < 1000 ? t('workInChat.milliseconds', { n: Math.max(0, Math.round(ms)) }) : lasting(0, ms);
