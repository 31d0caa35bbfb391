/**
 * Options shared by all windows with our page: restricted web preferences, and a background for the first
 * paint.
 */
import { nativeTheme } from 'electron';

export interface PageWindowOptions {
  readonly preload: string;
  readonly icon: string;
  readonly devTools: boolean;
}

export function pageWindow({
  preload,
  icon,
  devTools,
}: PageWindowOptions): Electron.BrowserWindowConstructorOptions {
  return {
    show: false,
    title: 'Kennel',
    icon,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#191817' : '#faf9f7',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      spellcheck: false,
      devTools,
    },
  };
}
