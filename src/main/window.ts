/** The one window: closing hides it, and what is hidden for half a minute is given back; the state lives in the host. */
import { BrowserWindow, nativeTheme } from 'electron';

const graceMs = 30_000;

export interface WindowOptions {
  readonly preload: string;
  readonly icon: string;
  readonly devTools: boolean;
  /** What to load; asked again for each new window. */
  address(): string;
  /** True while closing should hide: somebody can bring the window back. */
  hideOnClose(): boolean;
  onOpened(contentsId: number): void;
  onPageLeft(contentsId: number): void;
  onClosed(contentsId: number): void;
}

export interface AppWindow {
  show(): void;
  /** Loads `address()` again in the window there is. */
  reload(): void;
  destroy(): void;
}

function build(options: WindowOptions): BrowserWindow {
  return new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 420,
    minHeight: 480,
    show: false,
    title: 'Kennel',
    icon: options.icon,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#191817' : '#faf9f7',
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      spellcheck: false,
      devTools: options.devTools,
    },
  });
}

export function createAppWindow(options: WindowOptions): AppWindow {
  let window: BrowserWindow | null = null;
  let grace: NodeJS.Timeout | undefined;
  let crashes = 0;

  function load(target: BrowserWindow): void {
    // A page that cannot be loaded shows Chromium's own notice; there is nothing to add to it here.
    target.loadURL(options.address()).catch(() => {});
  }

  function hideOrClose(target: BrowserWindow, event: { preventDefault(): void }): void {
    if (!options.hideOnClose()) return;
    event.preventDefault();
    target.hide();
    clearTimeout(grace);
    grace = setTimeout(() => target.destroy(), graceMs);
  }

  function open(): void {
    const opened = build(options);
    const { id } = opened.webContents;
    window = opened;
    options.onOpened(id);
    opened.once('ready-to-show', () => opened.show());
    opened.on('close', (event) => hideOrClose(opened, event));
    opened.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) options.onPageLeft(id);
    });
    opened.webContents.on('render-process-gone', () => {
      crashes += 1;
      if (crashes <= 3) load(opened);
    });
    opened.once('closed', () => {
      clearTimeout(grace);
      if (window === opened) window = null;
      options.onClosed(id);
    });
    load(opened);
  }

  return {
    show() {
      clearTimeout(grace);
      if (window === null) return open();
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    reload() {
      if (window !== null) load(window);
    },
    destroy() {
      clearTimeout(grace);
      window?.destroy();
    },
  };
}
