/** When the steps of a run worked and when they waited, for a picture that has one line of time for all of them. */
import type { RunStep } from '../../contract/workflow-methods.ts';
import { type TimeScale, workScale } from '../work/time-scale.ts';

type Times = Pick<RunStep, 'spans' | 'waited'>;

/** A shorter wait is nothing that anybody asks about: ms. */
export const shortWaitMs = 1_000;

export function runScale(steps: readonly Times[], from: number, now: number): TimeScale {
  const work = steps.flatMap(({ spans }) =>
    spans.flatMap((span) => (span.kind === 'work' ? [{ from: span.from, to: span.to ?? now }] : [])),
  );
  return workScale(work, { from, to: now });
}

/** What has happened is over, also between two ticks of the page's clock. */
export const latestOf = (steps: readonly Pick<RunStep, 'startedAt' | 'endedAt'>[]): number =>
  steps.reduce((latest, { startedAt, endedAt }) => Math.max(latest, endedAt ?? startedAt), 0);

/** How long it has waited, ms, with a wait that goes on. */
export function waitedOf({ spans, waited }: Times, now: number): number {
  const last = spans.at(-1);
  return last?.kind === 'wait' && last.to === null ? waited + Math.max(0, now - last.from) : waited;
}
