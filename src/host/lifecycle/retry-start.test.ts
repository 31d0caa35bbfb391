import { expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { createRetryStart } from './retry-start.ts';
import type { Begun } from './start-configured.ts';

function rig(outcomes: Begun[]) {
  const clock = createVirtualClock();
  const states: string[] = [];
  let starts = 0;
  let isStopping = false;
  const starter = createRetryStart({
    clock,
    random: { fraction: () => 0.5, bytes: () => new Uint8Array(), uuid: () => '' },
    log: createRecordingLog(),
    isStopping: () => isStopping,
    async start() {
      starts += 1;
      return outcomes.shift() ?? { state: 'ready', again: false };
    },
    onStarted: (state) => states.push(state),
  });
  const stop = (): void => {
    isStopping = true;
    starter.cancel();
  };
  return { clock, states, starter, stop, starts: () => starts };
}

it('retries until everything has started', async () => {
  const { clock, states, starter, starts } = rig([{ state: 'locked', again: true }]);
  await starter.run();
  expect(states).toEqual(['locked']);
  await clock.advance(10_000);
  await settle(4);
  expect(states).toEqual(['locked', 'ready']);
  await clock.advance(600_000);
  expect(starts()).toBe(2);
});

it('does not retry a host that stops', async () => {
  const { clock, starter, stop, starts } = rig([{ state: 'locked', again: true }]);
  await starter.run();
  stop();
  await clock.advance(600_000);
  await starter.run();
  expect(starts()).toBe(1);
});
