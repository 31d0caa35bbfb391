/** The work behind the recovery window, on a folder that no host has. Loaded only when a person asks for it. */
import { app } from 'electron';
import { backupHome } from '../host/backup/backup-home.ts';
import { restoreHome } from '../host/backup/restore-home.ts';
import type { RecoveryWork } from './recovery.ts';

export const recoveryWork = (home: string): RecoveryWork => ({
  backup: (target) => backupHome(home, target, app.getVersion(), Date.now()),
  restore: (from) => restoreHome(from, home, Date.now()),
});
