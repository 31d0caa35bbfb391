import { expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok, type Result } from '../../contract/result.ts';
import { archiveOldWork } from './archive-old-work.ts';

const hourMs = 3_600_000;

it('Finished work is archived every hour after the chosen days, and stays while none are chosen', async () => {
  const clock = createVirtualClock();
  const calls: unknown[] = [];
  let days = 0;
  const stop = archiveOldWork({
    settings: { config: () => ({ tasks: { archive_days: days } }) as never },
    call: async (_, method, input): Promise<Result<never>> => {
      calls.push([method, input]);
      return ok({} as never);
    },
    clock,
    log: createRecordingLog(),
  });
  await clock.advance(2 * hourMs);
  expect(calls).toEqual([]);
  days = 30;
  await clock.advance(hourMs);
  const input = { archived: true, olderThanDays: 30 };
  expect(calls).toEqual([
    ['tasks.archive', input],
    ['runs.archive', input],
  ]);
  stop();
  await clock.advance(5 * hourMs);
  expect(calls).toHaveLength(2);
});
