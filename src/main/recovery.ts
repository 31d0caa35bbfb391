/** What a person sees after several starts in a row went wrong: ways to look, to save, to go back and to try; nothing changes by itself. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { app, dialog, shell } from 'electron';
import type { Result } from '../contract/result.ts';
import type { ShellPage } from './shell-pages.ts';
import { openShellWindow, type ShellWindow } from './shell-window.ts';

export const recoveryPath = '/recovery';

export type RecoveryEnd = 'start' | 'without-agents' | 'quit';

/** Loaded only here: the copying of whole folders. */
export interface RecoveryWork {
  backup(target: string): Promise<Result<{ readonly files: number }>>;
  restore(from: string): Promise<Result<{ readonly files: number; readonly aside: string | null }>>;
}

export interface Recovery {
  page(): ShellPage;
  /** Resolves with what the person chose. */
  run(icon: string): Promise<RecoveryEnd>;
  focus(): void;
}

const lines = [
  'Kennel has tried to start several times in the last minutes and did not get far. Nothing of yours was changed.',
  'Start without your agents to look around, or read the log to see what stopped it. Save a copy before you restore an older one.',
];

const buttons: ShellPage['buttons'] = [
  { action: 'without-agents', label: 'Start without agents', main: true },
  { action: 'start', label: 'Try again' },
  { action: 'logs', label: 'Open the log' },
  { action: 'backup', label: 'Save a copy…' },
  { action: 'restore', label: 'Restore a backup…' },
  { action: 'quit', label: 'Quit' },
];
const ends: Readonly<Record<string, RecoveryEnd>> = {
  start: 'start',
  'without-agents': 'without-agents',
  quit: 'quit',
};

const stamp = (): string => new Date().toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-');

async function chooseTarget(owner: ShellWindow): Promise<string | null> {
  const { filePath, canceled } = await dialog.showSaveDialog(owner.window, {
    title: 'Save a copy of your data folder',
    defaultPath: path.join(app.getPath('home'), `kennel-backup-${stamp()}`),
    buttonLabel: 'Save',
  });
  return canceled || filePath === '' ? null : filePath;
}

async function chooseBackup(owner: ShellWindow): Promise<string | null> {
  const { filePaths, canceled } = await dialog.showOpenDialog(owner.window, {
    title: 'Choose a backup',
    properties: ['openDirectory'],
    buttonLabel: 'Use this backup',
  });
  const [from] = filePaths;
  if (canceled || from === undefined) return null;
  const { response } = await dialog.showMessageBox(owner.window, {
    type: 'question',
    message: 'Put this backup in the place of what you have now?',
    detail: `${from}\n\nWhat is there now steps aside and is kept.`,
    buttons: ['Cancel', 'Restore'],
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
    if (!existsSync(folder)) return tell('There is no log yet.');
    const failed = await shell.openPath(folder);
    tell(
      failed === ''
        ? `The log is in ${folder}.`
        : `Your desktop could not open ${folder}. Look there yourself.`,
    );
  }

  async function backup(owner: ShellWindow): Promise<void> {
    const target = await chooseTarget(owner);
    if (target === null) return;
    const made = await work.backup(target);
    tell(made.ok ? `A copy of ${made.value.files} files is in ${target}.` : made.error.message);
  }

  async function restore(owner: ShellWindow): Promise<void> {
    const from = await chooseBackup(owner);
    if (from === null) return;
    const restored = await work.restore(from);
    if (!restored.ok) return tell(restored.error.message);
    const { files, aside } = restored.value;
    tell(`${files} files were restored.${aside ? ` What was there before is in ${aside}.` : ''}`);
  }

  const actions: Readonly<Record<string, (owner: ShellWindow) => Promise<void>>> = {
    logs: openLogs,
    backup,
    restore,
  };

  return {
    page: () => ({
      title: 'Kennel keeps failing to start',
      lines: said === '' ? lines : [...lines, said],
      buttons,
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
