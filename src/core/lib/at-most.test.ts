import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { atMost } from './at-most.ts';

test('waits for the work and leaves no timer', async () => {
  const clock = createVirtualClock();
  expect(await atMost(clock, 100, Promise.resolve('done'))).toBe(true);
  const broken = new Error('broken');
  await expect(atMost(clock, 100, Promise.reject(broken))).rejects.toBe(broken);
  expect(clock.pending()).toBe(0);
});

test('waits no longer than the limit', async () => {
  const clock = createVirtualClock();
  let reject = (_error: Error): void => undefined;
  const work = new Promise<void>((_resolve, fail) => {
    reject = fail;
  });
  const waiting = atMost(clock, 100, work);
  await clock.advance(100);
  expect(await waiting).toBe(false);
  // No caller waits for a late failure.
  reject(new Error('late'));
  await clock.advance(1);
});
