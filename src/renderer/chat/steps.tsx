import { useId, useState } from 'react';
import type { Dot } from '../../contract/model.ts';
import type { ToolStep } from '../../contract/work.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon, type IconName } from '../mark/icon.tsx';
import { ExactText } from '../parts/exact-text.tsx';
import { useAsked } from '../state/asked.ts';
import { go } from '../state/route.ts';
import { plural } from '../words/amounts.ts';
import { lasting } from '../words/time.ts';
import { visibleLine } from '../words/visible-text.ts';

const none: readonly ToolStep[] = [];
/** More of them than this fold into the newest few and a link to the others. */
const mostSteps = 6;
const shownSteps = 4;

/** What an agent did before it spoke: a line for each call, which opens into the details. */
export function Steps({ steps = none }: { steps?: readonly ToolStep[] }) {
  const [all, setAll] = useState(false);
  if (steps.length === 0) return null;
  const hidden = all || steps.length <= mostSteps ? 0 : steps.length - shownSteps;
  return (
    <>
      {hidden > 0 && (
        <button type="button" className="link steps-more" onClick={() => setAll(true)}>
          {plural(hidden, 'earlier step')}
        </button>
      )}
      <ul className="steps-list" aria-label="What it did">
        {steps.slice(hidden).map((step) => (
          <Step key={step.callId} step={step} />
        ))}
      </ul>
    </>
  );
}

const stateWords: Readonly<Record<ToolStep['state'], string>> = {
  running: 'running',
  waiting: 'waits for you',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  unknown: 'nobody knows whether it happened',
};

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
      <span className="visually-hidden">{stateWords[state]}: </span>
    </>
  );
}

/** Told in words where the words of the title do not tell it. */
const notes: Partial<Record<ToolStep['state'], string>> = {
  failed: 'failed',
  denied: 'denied',
  unknown: 'interrupted; nobody knows whether it happened',
};

function Step({ step }: { step: ToolStep }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const waits = useAsked().some((approval) => approval.id === step.approvalId);
  const note = notes[step.state];
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
          <bdi className="step-title">{visibleLine(step.title)}</bdi>
          {note !== undefined && (
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
            Waits for your answer
          </button>
        )}
      </p>
      {open && <Details step={step} id={id} />}
    </li>
  );
}

function Details({ step, id }: { step: ToolStep; id: string }) {
  return (
    <div className="step-details" id={id}>
      <p className="fine">
        <code>{visibleLine(step.tool)}</code>
        {step.endedAt !== null && `, took ${tookWords(step.endedAt - step.startedAt)}`}
      </p>
      {step.detail !== '' && (
        // Long details scroll, so the keyboard must reach them.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        <pre tabIndex={0}>
          <ExactText text={step.detail} />
        </pre>
      )}
    </div>
  );
}

const tookWords = (ms: number): string => (ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : lasting(0, ms));
