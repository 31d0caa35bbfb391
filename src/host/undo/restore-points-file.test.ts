import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok } from '../../contract/result.ts';
import { createOpenFiles } from '../../services/db/open-files.ts';
import { createRestorePointsFile } from './restore-points-file.ts';

let folder: string;
eachTestInFolder('kennel-restore-points-', (made) => {
  folder = made;
});

test.each(['stop', 'erase'] as const)('%s leaves no clean-up for later', async (end) => {
  const clock = createVirtualClock();
  const file = createRestorePointsFile({
    clock,
    random: { bytes: (length) => new Uint8Array(length), uuid: () => 'a', fraction: () => 0 },
    log: createRecordingLog(),
    disk: {
      remove: (path) => {
        rmSync(path, { force: true });
        return ok(undefined);
      },
    },
    watchStore: () => ({
      openFiles: createOpenFiles(4),
      onQuarantine: () => undefined,
      onFault: () => undefined,
    }),
    place: {
      isAgent: () => true,
      workspace: () => null,
      path: join(folder, 'restore.db'),
      key: async () => ok(new Uint8Array(32).fill(3)),
    },
  });
  expect((await file.open()).ok).toBe(true);
  expect(clock.pending()).toBeGreaterThan(0);
  file[end]();
  expect(clock.pending()).toBe(0);
});
