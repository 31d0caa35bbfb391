/** Puts the app together: host, gate, pages, window, tray; then quits in the reverse order. */
import path from 'node:path';
import { app, ipcMain, session } from 'electron';
import type { AppError } from '../contract/errors.ts';
import type { Host } from '../host/host-ports.ts';
import { type AppHost, createAppHost } from './app-host.ts';
import { setAppMenu } from './app-menu.ts';
import { followTopic } from './follow-topic.ts';
import { guardSession } from './guards.ts';
import { createIpcGate, type IpcGate } from './ipc-gate.ts';
import { noticeAddressPath, noticePage } from './notice-page.ts';
import { pageOrigin, servePages } from './page-protocol.ts';
import { type AppTray, createAppTray } from './tray.ts';
import { type AppWindow, createAppWindow } from './window.ts';

export interface AppPlaces {
  readonly home: string;
  readonly renderer: string;
  readonly preload: string;
  readonly icons: string;
}

interface AppState {
  quitting: boolean;
  failure: AppError | null;
}

/** In development the page comes from Vite's server; a packaged app never looks. */
const developmentPage = (): string | null =>
  app.isPackaged ? null : (process.env.ELECTRON_RENDERER_URL ?? null);

function createGate(host: AppHost, origin: string): IpcGate {
  const gate = createIpcGate({
    host: () => host.started(),
    pageOrigin: origin,
    warn: (message, fields) => console.error(`kennel: ${message} ${JSON.stringify(fields)}`),
  });
  gate.register((channel, listener) => ipcMain.handle(channel, listener));
  return gate;
}

function setPaused(host: AppHost, agent: string, paused: boolean): void {
  void host.started().then((started) => {
    if (!started.ok) return;
    void started.value.call({ kind: 'owner-ui' }, paused ? 'agents.pause' : 'agents.resume', { agent });
  });
}

function onStarted(host: Host, tray: AppTray, quit: () => void): void {
  followTopic(host, 'host', tray.showHost);
  followTopic(host, 'agents', tray.showAgents);
  void host.stopped.then(quit);
}

function onFailed(error: AppError, state: AppState, window: AppWindow): void {
  state.failure = error;
  const parts = [error.message, error.hint, error.where].filter((part) => part !== undefined && part !== '');
  console.error(`Kennel did not start: ${parts.join(' ')}`);
  window.reload();
}

export function runApp(places: AppPlaces): void {
  const state: AppState = { quitting: false, failure: null };
  const started = import('./start-host.ts');
  const host = createAppHost(async () => (await started).startHost(places.home));
  const development = developmentPage();
  const page = development ?? `${pageOrigin}/`;
  const gate = createGate(host, new URL(page).protocol === 'kennel:' ? pageOrigin : new URL(page).origin);
  const quit = (): void => void quitApp();

  guardSession(session.defaultSession, development ? [pageOrigin, new URL(page).origin] : [pageOrigin]);
  servePages(session.defaultSession, places.renderer, () =>
    noticePage(state.failure ?? { code: 'internal', message: 'Nothing went wrong.' }),
  );
  setAppMenu(quit);
  const window = createAppWindow({
    preload: places.preload,
    icon: path.join(places.icons, 'app/256x256.png'),
    devTools: !app.isPackaged,
    address: () => (state.failure ? `${pageOrigin}${noticeAddressPath}` : page),
    hideOnClose: () =>
      !state.quitting && state.failure === null && (tray.present || process.platform === 'darwin'),
    onOpened: gate.admit,
    onPageLeft: gate.pageLeft,
    onClosed(contentsId) {
      gate.dismiss(contentsId);
      if (state.failure || !tray.present) quit();
    },
  });
  const tray = createAppTray(places.icons, {
    open: window.show,
    quit,
    setPaused: (agent, paused) => setPaused(host, agent, paused),
  });

  async function quitApp(): Promise<void> {
    if (state.quitting) return;
    state.quitting = true;
    window.destroy();
    const clean = await host.stop('quit');
    tray.destroy();
    app.exit(clean && state.failure === null ? 0 : 1);
  }

  app.on('second-instance', () => window.show());
  app.on('activate', () => window.show());
  // The app lives in the tray; without this listener Electron would quit with the last window.
  app.on('window-all-closed', () => {});
  app.on('before-quit', (event) => {
    event.preventDefault();
    quit();
  });
  // A second signal means: now.
  const onSignal = (): void => (state.quitting ? app.exit(130) : quit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  void host
    .started()
    .then((result) =>
      result.ok ? onStarted(result.value, tray, quit) : onFailed(result.error, state, window),
    );
  if (!process.argv.includes('--hidden')) window.show();
}
