import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import { createProblems } from '../problems.ts';
import { createUpdateHandlers } from './upkeep-handlers.ts';

it('A downloaded update is a problem with a typed message', async () => {
  const problems = createProblems(createVirtualClock(), () => undefined);
  const settings = {} as Pick<DaemonSettings, 'config'>;
  const handlers = createUpdateHandlers({ settings, problems, version: '1.0.0', fetch });
  await handlers['host.updateReady']({ version: '9.9.9' }, {} as never);
  expect(problems.list()).toMatchObject([
    {
      message: 'Kennel 9.9.9 is downloaded.',
      said: { key: 'host.updateDownloaded', values: { version: '9.9.9' } },
    },
  ]);
});
