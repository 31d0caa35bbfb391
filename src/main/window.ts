/**
 * The main window: closing hides it, a hidden window is destroyed after `graceMs`, and it reopens at the same
 * position and page.
 */
import { BrowserWindow, screen } from 'electron';
import type { JsonFile } from './json-file.ts';
import { type PageWindowOptions, pageWindow } from './page-window.ts';
import { placeInSight, type WindowPlace } from './window-position.ts';

export interface WindowOptions extends PageWindowOptions {
  /** URL to load, without the route. */
  readonly address: string;
  readonly place: JsonFile<WindowPlace>;
  /** Time in ms until a hidden window is destroyed. */
  readonly graceMs: number;
  /** True if closing should hide the window, because a tray can reopen it. */
  hideOnClose(): boolean;
  onHidden(): void;
  onOpened(contentsId: number): void;
  onPageLeft(contentsId: number): void;
  onClosed(contentsId: number): void;
}

export interface AppWindow {
  /** `route` is a page such as `#/inbox`; absent to show the last one. */
  show(route?: string): void;
  /** Reloads the page in the existing window. */
  reload(): void;
  isFocused(): boolean;
  destroy(): void;
}

const usualSize = { width: 1280, height: 800 } as const;

function build(options: WindowOptions): BrowserWindow {
  const kept = options.place.read();
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const bounds = kept ? placeInSight(kept.bounds, areas) : null;
  const window = new BrowserWindow({
    ...pageWindow(options),
    ...(bounds ?? usualSize),
    minWidth: 420,
    minHeight: 480,
  });
  if (bounds && kept?.maximized) window.maximize();
  return window;
}

const routeOf = (address: string): string => {
  const at = address.indexOf('#');
  return at < 0 ? '' : address.slice(at);
};

export function createAppWindow(options: WindowOptions): AppWindow {
  let window: BrowserWindow | null = null;
  let grace: NodeJS.Timeout | undefined;
  let crashes = 0;
  let route = '';

  function load(target: BrowserWindow): void {
    // If loading fails, Chromium shows its own error page.
    target.loadURL(`${options.address}${route}`).catch(() => {});
  }

  /** Saves the position and the route before the window closes. */
  function remember(target: BrowserWindow): void {
    route = routeOf(target.webContents.getURL());
    options.place.write({ bounds: target.getNormalBounds(), maximized: target.isMaximized() });
  }

  function hideOrClose(target: BrowserWindow, event: { preventDefault(): void }): void {
    remember(target);
    if (!options.hideOnClose()) return;
    event.preventDefault();
    target.hide();
    clearTimeout(grace);
    grace = setTimeout(() => {
      remember(target);
      target.destroy();
    }, options.graceMs);
    options.onHidden();
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
    show(to) {
      clearTimeout(grace);
      if (window === null) {
        route = to ?? route;
        return open();
      }
      // Only the fragment changes, so the page keeps running with all unsent text.
      if (to !== undefined && routeOf(window.webContents.getURL()) !== to) {
        route = to;
        load(window);
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    reload() {
      if (window === null) return;
      route = routeOf(window.webContents.getURL());
      window.webContents.reload();
    },
    // X11 can report the focus for a window that was hidden while it received the focus.
    isFocused: () => window?.isVisible() === true && window.isFocused(),
    destroy() {
      clearTimeout(grace);
      if (window && !window.isDestroyed()) remember(window);
      window?.destroy();
    },
  };
}
