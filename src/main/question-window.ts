/**
 * A small always-on-top window for a single approval. It opens without taking the focus, so that continued
 * typing cannot answer, and closes soon after the approval is answered on any surface.
 */
import { BrowserWindow, screen } from 'electron';
import { type PageWindowOptions, pageWindow } from './page-window.ts';
import { cornerPlace, questionRoute, questionShown } from './question-window-position.ts';

export interface QuestionWindowOptions extends PageWindowOptions {
  /** URL to load, without the route. */
  readonly address: string;
  /** True while the approval is waiting. */
  waits(id: string): boolean;
  onOpened(contentsId: number): void;
  onPageLeft(contentsId: number): void;
  onClosed(contentsId: number): void;
}

export interface QuestionWindow {
  /** A repeated call for the same approval is a request by the operator, so the window takes the focus. */
  show(id: string): void;
  /** Checks the approval again and closes the window if it is settled. */
  look(): void;
  isFocused(): boolean;
  close(): void;
}

/** How long the answer and the link to the next approval stay visible, in ms. */
const readMs = 2500;

export function createQuestionWindow(options: QuestionWindowOptions): QuestionWindow {
  let window: BrowserWindow | null = null;
  let leaving: NodeJS.Timeout | undefined;

  const isSettled = (): boolean => {
    const id = window ? questionShown(window.webContents.getURL()) : null;
    return id !== null && !options.waits(id);
  };
  const load = (target: BrowserWindow, id: string): void => {
    target.loadURL(`${options.address}${questionRoute(id)}`).catch(() => {});
  };
  const close = (): void => {
    clearTimeout(leaving);
    leaving = undefined;
    if (window && !window.isDestroyed()) window.destroy();
  };

  function open(id: string): void {
    const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    const opened = new BrowserWindow({
      ...pageWindow(options),
      ...cornerPlace(workArea, process.platform),
      minWidth: 380,
      minHeight: 360,
      alwaysOnTop: true,
      maximizable: false,
      fullscreenable: false,
    });
    const contentsId = opened.webContents.id;
    window = opened;
    options.onOpened(contentsId);
    opened.once('ready-to-show', () => opened.showInactive());
    opened.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) options.onPageLeft(contentsId);
    });
    // The window holds no state to save: the approval stays in the inbox.
    opened.webContents.on('render-process-gone', () => setImmediate(close));
    opened.once('closed', () => {
      if (window === opened) window = null;
      options.onClosed(contentsId);
    });
    load(opened, id);
  }

  return {
    show(id) {
      if (window === null) return open(id);
      const same = questionShown(window.webContents.getURL()) === id;
      if (!same) load(window, id);
      if (window.isMinimized()) window.restore();
      if (same) window.focus();
    },
    look() {
      if (leaving !== undefined || !isSettled()) return;
      leaving = setTimeout(() => {
        leaving = undefined;
        // The operator may have opened the next approval in the window meanwhile.
        if (isSettled()) close();
      }, readMs);
    },
    isFocused: () => window?.isFocused() ?? false,
    close,
  };
}
