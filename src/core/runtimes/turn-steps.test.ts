import { expect, it } from 'vitest';
import type { ToolStep } from '../../contract/work.ts';
import { TurnSteps } from './turn-steps.ts';

it('does not count the time that a person takes to answer as time of the step', () => {
  let now = 1_000;
  let last: ToolStep | null = null;
  const steps = new TurnSteps({ now: () => now }, (step) => {
    last = step;
  });
  steps.begin('c1', 'write_file', { path: 'a.md' });
  now += 100;
  steps.waiting('c1', 'ap_1');
  now += 60_000;
  steps.resumed('c1');
  now += 50;
  steps.end('c1', 'done', []);
  expect(last).toMatchObject({ startedAt: 61_000, endedAt: 61_150 });
  steps.begin('c2', 'write_file', { path: 'b.md' });
  steps.waiting('c2', 'ap_2');
  now += 5_000;
  steps.end('c2', 'denied', []);
  expect(last).toMatchObject({ startedAt: 66_150, endedAt: 66_150 });
});
