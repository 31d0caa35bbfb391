/**
 * The quick ask: a small always-on-top window with one line for a question to an agent. It opens in front of
 * other programs and keeps nothing when it closes.
 */
import { BrowserWindow, screen } from 'electron';
import { type PageWindowOptions, pageWindow } from './page-window.ts';
import { askPlace } from './question-window-position.ts';

export interface AskWindowOptions extends PageWindowOptions {
  /** URL to load, without the route. */
  readonly address: string;
  onOpened(contentsId: number): void;
  onPageLeft(contentsId: number): void;
  onClosed(contentsId: number): void;
}

export interface AskWindow {
  /** Opens the window, or closes it if it has the focus. */
  toggle(): void;
  close(): void;
}

/** The page that the renderer draws without its frame. */
const askRoute = '#/ask';

export function createAskWindow(options: AskWindowOptions): AskWindow {
  let window: BrowserWindow | null = null;

  const close = (): void => {
    if (window && !window.isDestroyed()) window.destroy();
  };

  function open(): void {
    const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    const opened = new BrowserWindow({
      ...pageWindow(options),
      ...askPlace(workArea),
      frame: false,
      resizable: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
    });
    const contentsId = opened.webContents.id;
    window = opened;
    options.onOpened(contentsId);
    opened.once('ready-to-show', () => {
      opened.show();
      opened.focus();
    });
    opened.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) options.onPageLeft(contentsId);
    });
    opened.webContents.on('render-process-gone', () => setImmediate(close));
    opened.once('closed', () => {
      if (window === opened) window = null;
      options.onClosed(contentsId);
    });
    opened.loadURL(`${options.address}${askRoute}`).catch(() => {});
  }

  return {
    toggle() {
      if (window === null) open();
      else if (window.isFocused()) close();
      else {
        window.show();
        window.focus();
      }
    },
    close,
  };
}
