import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { say } from '../../language/say.ts';
import { createProblems } from '../problems.ts';
import { watchSettings } from './watch-settings.ts';

it('An unreadable daemon.yml is a problem with its file and line in every language (F20)', async () => {
  const clock = createVirtualClock();
  const problems = createProblems(clock, () => undefined);
  const where = '/k/daemon.yml, line 3';
  const broken = textError('invalid_input', say('server.noReason'), {
    hint: say('storage.checkDisk'),
    where,
  });
  let error: typeof broken | null = broken;
  const stop = watchSettings({ settings: { error: () => error }, problems, clock, listeners: [] });
  await clock.advance(0);
  expect(problems.list()).toMatchObject([
    {
      message: `it gave no reason (${where})`,
      said: { key: 'doctor.placed', values: { message: { key: 'server.noReason' }, place: where } },
      help: { key: 'storage.checkDisk' },
    },
  ]);
  error = null;
  await clock.advance(2_000);
  expect(problems.list()).toEqual([]);
  stop();
});
