import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createBackupHandlers } from './backup-handlers.ts';

it('a backup is complete although it cannot be noted, for example on a full disk', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kennel-backup-'));
  const home = path.join(folder, 'home');
  mkdirSync(home);
  writeFileSync(path.join(home, 'daemon.yml'), '');
  const log = createRecordingLog();
  const handlers = createBackupHandlers({ home, version: '1.0.0', clock: createVirtualClock(), log }, () => {
    throw new Error('ENOSPC');
  });
  const target = path.join(folder, 'backup');
  const made = await handlers['backup.make']({ path: target }, { kind: 'owner-cli' });
  expect(made).toMatchObject({ ok: true, value: { path: target, files: 1 } });
  expect(log.lines.map(({ event }) => event)).toEqual(['backup_made', 'backup_not_noted']);
  rmSync(folder, { recursive: true });
});
