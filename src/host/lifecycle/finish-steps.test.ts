import { expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { finishSteps, stepGraceMs } from './finish-steps.ts';

function rig() {
  const clock = createVirtualClock();
  const log = createRecordingLog();
  const ends: (() => void)[] = [];
  const asked: string[] = [];
  const leave = (what: string) => () => {
    asked.push(what);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const now = new AbortController();
  const parts = {
    clock,
    log,
    schedules: { stop: async () => void asked.push('schedules') },
    workflows: { leave: leave('workflows') },
    tasks: { leave: leave('tasks') },
  };
  let over = false;
  const done = finishSteps(parts, now.signal).then(() => {
    over = true;
  });
  return { clock, log, ends, asked, now, done, over: () => over };
}

it('Shutdown signals all services at once and waits for their last steps', async () => {
  const { ends, asked, done, over, clock } = rig();
  await settle(4);
  expect(asked).toEqual(['schedules', 'workflows', 'tasks']);
  ends[0]?.();
  await clock.advance(1_000);
  expect(over()).toBe(false);
  ends[1]?.();
  await done;
  expect(over()).toBe(true);
});

it('Shutdown waits for a step no longer than the grace period', async () => {
  const { clock, over, log } = rig();
  await clock.advance(stepGraceMs - 1);
  expect(over()).toBe(false);
  await clock.advance(1);
  await settle(4);
  expect(over()).toBe(true);
  expect(log.lines.map(({ event }) => event)).toContain('steps_cut_off');
});

it('An immediate shutdown does not wait for running steps', async () => {
  const { now, over } = rig();
  await settle(4);
  expect(over()).toBe(false);
  now.abort();
  await settle(4);
  expect(over()).toBe(true);
});
