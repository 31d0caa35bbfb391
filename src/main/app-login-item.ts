/** Start at login for this executable and data folder. */
import { homedir } from 'node:os';
import path from 'node:path';
import { app } from 'electron';
import { homeMark } from './app-paths.ts';
import type { LoginItem } from './desktop-settings.ts';
import { linuxLoginItem, systemLoginItem } from './login-item.ts';

/** An AppImage runs from a temporary mount; APPIMAGE is the path of its file. */
const program = (): string => process.env.APPIMAGE ?? process.execPath;

export function appLoginItem(home: string): LoginItem {
  const source = app.isPackaged ? [] : [app.getAppPath()];
  if (process.platform !== 'linux') return systemLoginItem(app, source);
  const mark = homeMark(home);
  return linuxLoginItem({
    configHome: process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'),
    mark,
    home: mark === '' ? null : home,
    words: [program(), ...source],
  });
}
