/**
 * One small window above the others for a single question. It comes without taking the focus, so that nobody answers
 * by typing on, and goes soon after the question is answered, wherever that was.
 */
import { BrowserWindow, screen } from 'electron';
import { type PageWindowOptions, pageWindow } from './page-window.ts';
import { cornerPlace, questionRoute, questionShown } from './question-place.ts';

export interface QuestionWindowOptions extends PageWindowOptions {
  /** What to load, without the route. */
  readonly address: string;
  /** True while this question wants an answer. */
  waits(id: string): boolean;
  onOpened(contentsId: number): void;
  onPageLeft(contentsId: number): void;
  onClosed(contentsId: number): void;
}

export interface QuestionWindow {
  /** A second time for the same question: it is asked for, and takes the focus. */
  show(id: string): void;
  /** Something changed about the questions: one that is settled leaves. */
  look(): void;
  isFocused(): boolean;
  close(): void;
}

/** So long the answer, and the way to the next question, stay in sight: ms. */
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
    // There is nothing in it to lose: the question waits in the inbox.
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
        // Meanwhile the person may have gone on to the next one in it.
        if (isSettled()) close();
      }, readMs);
    },
    isFocused: () => window?.isFocused() ?? false,
    close,
  };
}
