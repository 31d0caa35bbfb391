/** Working and waiting times of a run's steps, for a picture with one common scale. */
import type { RunStep } from '../../contract/workflow-methods.ts';
import { type TimeScale, workScale } from '../work/time-scale.ts';

type Times = Pick<RunStep, 'spans' | 'waited'>;

/** Shorter waits are not shown, in ms. */
export const shortWaitMs = 1_000;

export function runScale(steps: readonly Times[], from: number, now: number): TimeScale {
  const work = steps.flatMap(({ spans }) =>
    spans.flatMap((span) => (span.kind === 'work' ? [{ from: span.from, to: span.to ?? now }] : [])),
  );
  return workScale(work, { from, to: now });
}

/** Latest known time, because an event may come between two ticks of the page's clock. */
export const latestOf = (steps: readonly Pick<RunStep, 'startedAt' | 'endedAt'>[]): number =>
  steps.reduce((latest, { startedAt, endedAt }) => Math.max(latest, endedAt ?? startedAt), 0);

/** Total waiting time in ms, including a wait in progress. */
export function waitedOf({ spans, waited }: Times, now: number): number {
  const last = spans.at(-1);
  return last?.kind === 'wait' && last.to === null ? waited + Math.max(0, now - last.from) : waited;
}
