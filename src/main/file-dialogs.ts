/** The system's file dialogs, modal to the window that requested them. */
import path from 'node:path';
import { app, type BrowserWindow, dialog, type OpenDialogOptions } from 'electron';
import { t } from '../language/texts.ts';
import type { FileDialogs } from './desktop-files.ts';

const stamp = (): string => new Date().toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-');

/** Default path for backups. */
export const backupPlace = (): string => path.join(app.getPath('home'), `kennel-backup-${stamp()}`);

export function createFileDialogs(owner: () => BrowserWindow | null): FileDialogs {
  async function open(options: OpenDialogOptions): Promise<string | null> {
    const window = owner();
    const { filePaths, canceled } = await (window
      ? dialog.showOpenDialog(window, options)
      : dialog.showOpenDialog(options));
    return canceled ? null : (filePaths[0] ?? null);
  }
  return {
    importFile: () =>
      open({
        title: t('shell.chooseImportFile'),
        properties: ['openFile'],
        filters: [{ name: t('shell.importFiles'), extensions: ['puffoagent', 'zip'] }],
      }),
    importFolder: () =>
      open({ title: t('shell.chooseImportFolder'), properties: ['openDirectory', 'showHiddenFiles'] }),
    agentFolder: () =>
      open({ title: t('shell.chooseAgentFolder'), properties: ['openDirectory', 'createDirectory'] }),
    skillFolder: () => open({ title: t('shell.chooseSkills'), properties: ['openDirectory'] }),
    skillFile: () =>
      open({
        title: t('shell.chooseSkills'),
        properties: ['openFile'],
        filters: [{ name: t('shell.skillFiles'), extensions: ['zip', 'bundle'] }],
      }),
    backupFolder: () =>
      open({
        title: t('shell.chooseBackup'),
        properties: ['openDirectory'],
        buttonLabel: t('shell.useBackup'),
      }),
    async backupTarget() {
      const window = owner();
      const options = {
        title: t('shell.saveCopyTitle'),
        defaultPath: backupPlace(),
        buttonLabel: t('shell.save'),
      };
      const { filePath, canceled } = await (window
        ? dialog.showSaveDialog(window, options)
        : dialog.showSaveDialog(options));
      return canceled || filePath === '' ? null : filePath;
    },
  };
}
