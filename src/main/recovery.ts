/**
 * Recovery window after several failed starts: open the log, make a backup, restore one, or start again. It
 * changes nothing by itself.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { dialog, shell } from 'electron';
import type { Result } from '../contract/result.ts';
import { localizeError, t } from '../language/texts.ts';
import { backupPlace } from './file-dialogs.ts';
import type { ShellPage } from './shell-pages.ts';
import { openShellWindow, type ShellWindow } from './shell-window.ts';

export const recoveryPath = '/recovery';

export type RecoveryEnd = 'start' | 'without-agents' | 'quit';

/** Loaded on request, because it brings the code that copies whole folders. */
export interface RecoveryWork {
  backup(target: string): Promise<Result<{ readonly files: number }>>;
  restore(from: string): Promise<Result<{ readonly files: number; readonly aside: string | null }>>;
}

export interface Recovery {
  page(): ShellPage;
  /** Resolves with the operator's choice. */
  run(icon: string): Promise<RecoveryEnd>;
  focus(): void;
}

const lines = () => [t('shell.recoveryWhat'), t('shell.recoveryNext')];

const buttons = (): ShellPage['buttons'] => [
  { action: 'without-agents', label: t('shell.withoutAgents'), main: true },
  { action: 'start', label: t('shell.again') },
  { action: 'logs', label: t('shell.openLog') },
  { action: 'backup', label: t('shell.saveCopy') },
  { action: 'restore', label: t('shell.restoreBackup') },
  { action: 'quit', label: t('shell.quit') },
];
const ends: Readonly<Record<string, RecoveryEnd>> = {
  start: 'start',
  'without-agents': 'without-agents',
  quit: 'quit',
};

async function chooseTarget(owner: ShellWindow): Promise<string | null> {
  const { filePath, canceled } = await dialog.showSaveDialog(owner.window, {
    title: t('shell.saveCopyTitle'),
    defaultPath: backupPlace(),
    buttonLabel: t('shell.save'),
  });
  return canceled || filePath === '' ? null : filePath;
}

async function chooseBackup(owner: ShellWindow): Promise<string | null> {
  const { filePaths, canceled } = await dialog.showOpenDialog(owner.window, {
    title: t('shell.chooseBackup'),
    properties: ['openDirectory'],
    buttonLabel: t('shell.useBackup'),
  });
  const [from] = filePaths;
  if (canceled || from === undefined) return null;
  const { response } = await dialog.showMessageBox(owner.window, {
    type: 'question',
    message: t('shell.putBackup'),
    detail: t('shell.putBackupDetail', { from }),
    buttons: [t('shell.cancel'), t('shell.restore')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1 ? from : null;
}

export function createRecovery(home: string, work: RecoveryWork): Recovery {
  let said = '';
  let window: ShellWindow | null = null;

  const tell = (text: string): void => {
    said = text;
    window?.reload();
  };

  async function openLogs(): Promise<void> {
    const folder = path.join(home, 'logs');
    if (!existsSync(folder)) return tell(t('shell.noLog'));
    const failed = await shell.openPath(folder);
    tell(failed === '' ? t('shell.logIsIn', { folder }) : t('shell.logNotOpened', { folder }));
  }

  async function backup(owner: ShellWindow): Promise<void> {
    const target = await chooseTarget(owner);
    if (target === null) return;
    const made = await work.backup(target);
    tell(made.ok ? t('shell.copied', { files: made.value.files, target }) : localizeError(made.error));
  }

  async function restore(owner: ShellWindow): Promise<void> {
    const from = await chooseBackup(owner);
    if (from === null) return;
    const restored = await work.restore(from);
    if (!restored.ok) return tell(localizeError(restored.error));
    const { files, aside } = restored.value;
    tell(aside ? t('shell.restoredAside', { files, aside }) : t('shell.restored', { files }));
  }

  const actions: Readonly<Record<string, (owner: ShellWindow) => Promise<void>>> = {
    logs: openLogs,
    backup,
    restore,
  };

  return {
    page: () => ({
      title: t('shell.recoveryTitle'),
      lines: said === '' ? lines() : [...lines(), said],
      buttons: buttons(),
    }),
    run: (icon) =>
      new Promise((resolve) => {
        let busy = false;
        const opened = openShellWindow({
          path: recoveryPath,
          icon,
          size: { width: 640, height: 380 },
          onAction(action) {
            const end = ends[action];
            const act = actions[action];
            if (busy) return;
            if (end) {
              opened.close();
              window = null;
              resolve(end);
            } else if (act) {
              busy = true;
              void act(opened).finally(() => {
                busy = false;
              });
            }
          },
          onClosed: () => resolve('quit'),
        });
        window = opened;
      }),
    focus: () => window?.focus(),
  };
}
