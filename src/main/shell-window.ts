/** A small window with one page of the shell, without script; its links only trigger actions. */
import { BrowserWindow, nativeTheme } from 'electron';
import { pageOrigin } from './page-protocol.ts';
import { shellAction } from './shell-pages.ts';

export interface ShellWindowOptions {
  /** Path of the page; its content is rendered again at each reload. */
  readonly path: string;
  readonly icon: string;
  readonly size: { readonly width: number; readonly height: number };
  onAction(action: string): void;
  /** Called if the operator closes the window. */
  onClosed(): void;
}

export interface ShellWindow {
  reload(): void;
  focus(): void;
  /** Closes the window without calling `onClosed`. */
  close(): void;
  readonly window: BrowserWindow;
}

export function openShellWindow(options: ShellWindowOptions): ShellWindow {
  const window = new BrowserWindow({
    ...options.size,
    useContentSize: true,
    maximizable: false,
    fullscreenable: false,
    show: false,
    title: 'Kennel',
    icon: options.icon,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#191817' : '#faf9f7',
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: false,
    },
  });
  let reportsClose = true;
  // All pages block navigation at this event; here the address tells which button was pressed.
  window.webContents.on('will-frame-navigate', (event) => {
    event.preventDefault();
    const action = shellAction(event.url, pageOrigin);
    // Deferred, because destroying a window inside this event crashes the app.
    if (action !== null) setImmediate(() => options.onAction(action));
  });
  window.once('ready-to-show', () => window.show());
  window.once('closed', () => {
    if (reportsClose) options.onClosed();
  });
  const load = (): void => {
    if (!window.isDestroyed()) window.loadURL(`${pageOrigin}${options.path}`).catch(() => {});
  };
  load();
  return {
    window,
    reload: load,
    focus() {
      window.show();
      window.focus();
    },
    close() {
      reportsClose = false;
      if (!window.isDestroyed()) window.destroy();
    },
  };
}
