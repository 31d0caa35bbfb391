import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { createUntilTaken } from './retry-write.ts';

function failing(times: number) {
  const tried = { count: 0 };
  const work = (): void => {
    tried.count += 1;
    if (tried.count <= times) throw new StoreError('disk_full', 'The disk is full.');
  };
  return { tried, work };
}

it('A refused store write is retried until it succeeds', async () => {
  const clock = createVirtualClock();
  const { tried, work } = failing(3);
  createUntilTaken(clock).take(work);
  expect(tried.count).toBe(1);
  await clock.runAll();
  expect(tried.count).toBe(4);
});

it('A store write is not retried after stop, and other errors are thrown', async () => {
  const clock = createVirtualClock();
  const { tried, work } = failing(9);
  const untilTaken = createUntilTaken(clock);
  untilTaken.take(work);
  untilTaken.stop();
  await clock.runAll();
  expect(tried.count).toBe(1);
  expect(() =>
    createUntilTaken(clock).take(() => {
      throw new TypeError('a mistake');
    }),
  ).toThrow('a mistake');
});
