import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { AppError } from '../../contract/errors.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { say } from '../../language/say.ts';
import { createStoreHealth } from './store-health.ts';

const failed = new StoreError('io_error', say('storage.databaseDiskFailed'));

test('A store that is released with a disk fault stops its probe and no longer reports the fault (F4)', () => {
  const clock = createVirtualClock();
  const faults: (AppError | null)[] = [];
  const health = createStoreHealth({
    clock,
    probe: () => {
      throw failed;
    },
    onFault: (fault) => faults.push(fault),
  });
  health.failed(failed);
  expect(clock.pending()).toBe(1);
  health.stop();
  health.stop();
  expect(faults).toEqual([failed.toAppError(), null]);
  expect(clock.pending()).toBe(0);
});
