import type { ReactNode } from 'react';
import type { RunStep } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { pictureWidth, type TimeScale } from '../work/time-scale.ts';

const height = 10;
const middle = height / 2;
/** Minimum width of a span, so that short ones stay visible. */
const shortest = 4;

/**
 * Working and waiting times of a step on the run's scale; a block is a line from its first step to its last.
 */
export function StepBar({ step, scale, now }: { step: RunStep; scale: TimeScale; now: number }) {
  if (step.taken || step.state === 'skipped') return null;
  const { spans, startedAt, endedAt } = step;
  return (
    <Picture>
      {spans.length === 0 && (
        <line
          className="step-bar-block"
          x1={scale.at(startedAt)}
          x2={scale.at(endedAt ?? now)}
          y1={middle}
          y2={middle}
        />
      )}
      {spans.map((span, at) => {
        const from = Math.min(scale.at(span.from), pictureWidth - shortest);
        const to = Math.max(from + shortest, scale.at(span.to ?? now));
        return span.kind === 'work' ? (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: several may begin in the same moment
            key={at}
            className="step-bar-work"
            x={from}
            y={1}
            width={to - from}
            height={height - 2}
          />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <line key={at} className="step-bar-wait" x1={from} x2={to} y1={middle} y2={middle} />
        );
      })}
    </Picture>
  );
}

const Picture = ({ children }: { children: ReactNode }) => (
  <svg
    className="step-bar"
    viewBox={`0 0 ${pictureWidth} ${height}`}
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <line className="step-bar-ground" x1={0} x2={pictureWidth} y1={middle} y2={middle} />
    {children}
  </svg>
);

/** Legend of the patterns. */
export function StepTimesKey({ squeezed }: { squeezed: boolean }) {
  return (
    <p className="fine step-key">
      <span>
        <Picture>
          <rect className="step-bar-work" x={0} y={1} width={pictureWidth} height={height - 2} />
        </Picture>
        {t('workflows.keyWork')}
      </span>
      <span>
        <Picture>
          <line className="step-bar-wait" x1={0} x2={pictureWidth} y1={middle} y2={middle} />
        </Picture>
        {t('workflows.keyWait')}
      </span>
      <span>{t('workflows.keyText')}</span>
      {squeezed && <span>{t('workflows.keySqueezed')}</span>}
    </p>
  );
}
