/** A small window of the shell: one page without script, whose links are actions and nothing else. */
import { BrowserWindow, nativeTheme } from 'electron';
import { pageOrigin } from './page-protocol.ts';
import { shellAction } from './shell-pages.ts';

export interface ShellWindowOptions {
  /** Path of the page, asked again at each reload. */
  readonly path: string;
  readonly icon: string;
  readonly size: { readonly width: number; readonly height: number };
  onAction(action: string): void;
  /** The person closed it. */
  onClosed(): void;
}

export interface ShellWindow {
  reload(): void;
  focus(): void;
  /** Without `onClosed`. */
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
  let told = true;
  // Every navigation is stopped for all pages alike, and at this event; here its address is read as what was pressed.
  window.webContents.on('will-frame-navigate', (event) => {
    event.preventDefault();
    const action = shellAction(event.url, pageOrigin);
    // Not within the event: a window that is destroyed in the middle of it takes the whole app along.
    if (action !== null) setImmediate(() => options.onAction(action));
  });
  window.once('ready-to-show', () => window.show());
  window.once('closed', () => {
    if (told) options.onClosed();
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
      told = false;
      if (!window.isDestroyed()) window.destroy();
    },
  };
}
