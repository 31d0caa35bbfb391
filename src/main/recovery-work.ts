/** Backup and restore for the recovery window, on a folder without a host. Loaded on request only. */
import { app } from 'electron';
import { backupHome } from '../host/backup/backup-home.ts';
import { lookAtBackup, restoreHome } from '../host/backup/restore-home.ts';
import type { RestoreWork } from './desktop-files.ts';
import type { RecoveryWork } from './recovery.ts';

export const recoveryWork = (home: string): RecoveryWork & RestoreWork => ({
  backup: (target) => backupHome(home, target, app.getVersion(), Date.now()),
  look: (from) => lookAtBackup(from),
  restore: (from, onProgress?: (files: number, of: number) => void) =>
    restoreHome(from, home, Date.now(), onProgress),
});
