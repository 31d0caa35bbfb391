/** Assembles the app: host, gate, pages, window, tray, notifications; stops them in reverse order. */
import path from 'node:path';
import { app, BrowserWindow, globalShortcut, ipcMain, powerMonitor, session, shell } from 'electron';
import type { ShellLanguage } from '../contract/desktop-methods.ts';
import type { AppError } from '../contract/errors.ts';
import { textError } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { t } from '../language/texts.ts';
import { type AppHost, createAppHost } from './app-host.ts';
import { type AppLock, createAppLock } from './app-lock.ts';
import { appLoginItem } from './app-login-item.ts';
import { setAppMenu } from './app-menu.ts';
import { appNotifications } from './app-notifications.ts';
import { type AppState, createAppState } from './app-state.ts';
import { type AskShortcut, createAskShortcut } from './ask-shortcut.ts';
import { type AskWindow, createAskWindow } from './ask-window.ts';
import { createDesktopFiles } from './desktop-files.ts';
import { createDesktopRows } from './desktop-rows.ts';
import { type DesktopSettingsFile, openDesktopSettings } from './desktop-settings.ts';
import { askAboutDevice } from './device-dialog.ts';
import { createDeviceQuestion } from './device-question.ts';
import { failurePage, failurePath } from './failure-page.ts';
import { createFileDialogs } from './file-dialogs.ts';
import { createHostCalls, type HostCalls } from './host-calls.ts';
import { createIpcGate, type IpcGate } from './ipc-gate.ts';
import { type JsonFile, jsonFile } from './json-file.ts';
import type { LinkedHost } from './linked-host.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { createOpenQuestions, type OpenQuestions } from './open-questions.ts';
import { joinRoute, type OpenedLink } from './opened-link.ts';
import { pageOrigin, servePages } from './page-protocol.ts';
import { guardSession } from './page-restrictions.ts';
import { createQuestionWindow, type QuestionWindow } from './question-window.ts';
import { createQuitWait, quitPath } from './quit-wait.ts';
import { createRecovery, type Recovery, type RecoveryEnd, recoveryPath } from './recovery.ts';
import { speakShell } from './shell-language.ts';
import type { ShellPage } from './shell-pages.ts';
import { openShellWindow, type ShellWindow } from './shell-window.ts';
import { beginStart, startHeld, startRecordSchema } from './start-record.ts';
import { type AppTray, createAppTray } from './tray.ts';
import type { TrayActions } from './tray-menu.ts';
import { trayView } from './tray-view.ts';
import { startUpdates, type Updates } from './updates.ts';
import { watchNotifications } from './watch-notifications.ts';
import { type AppWindow, createAppWindow } from './window.ts';
import { windowPlaceSchema } from './window-position.ts';

export interface AppPlaces {
  readonly home: string;
  /** Electron's profile for this data folder. */
  readonly profile: string;
  readonly renderer: string;
  readonly preload: string;
  readonly icons: string;
}

/** A start counts as successful after the host has run for this time, in ms. */
const holdsAfterMs = 10_000;
const windowGraceMs = 30_000;

/**
 * In development the page comes from Vite's server, and tests shorten delays. A packaged app ignores these
 * variables.
 */
const forDevelopment = (name: string): string | undefined => (app.isPackaged ? undefined : process.env[name]);

class KennelApp {
  readonly #places: AppPlaces;
  readonly #icon: string;
  readonly #page: string;
  readonly #origin: string;
  readonly #starts: JsonFile<{ begun: number[] }>;
  readonly #settings: DesktopSettingsFile;
  readonly #host: AppHost;
  readonly #asks: HostCalls;
  readonly #state: AppState;
  readonly #lock: AppLock;
  readonly #gate: IpcGate;
  readonly #window: AppWindow;
  readonly #questions: OpenQuestions;
  readonly #question: QuestionWindow;
  readonly #ask: AskWindow;
  readonly #shortcut: AskShortcut;
  readonly #tray: AppTray;
  readonly #notifier: Notifier;
  readonly #updates: Updates;
  readonly #link: OpenedLink;
  readonly #quitWait = createQuitWait(() => this.#state.working());
  #recovery: Recovery | null = null;
  #failure: AppError | null = null;
  #failureWindow: ShellWindow | null = null;
  #agents = true;
  /** The host is stopped for a restore while the app keeps running. */
  #swapping = false;
  #quitting = false;
  /** Everything has stopped, so the process may exit. */
  #leaving = false;
  #holds: NodeJS.Timeout | undefined;
  #stopWatching: () => void = () => {};

  constructor(places: AppPlaces, link: OpenedLink) {
    this.#places = places;
    this.#link = link;
    this.#icon = path.join(places.icons, 'app/256x256.png');
    this.#page = forDevelopment('ELECTRON_RENDERER_URL') ?? `${pageOrigin}/`;
    this.#origin = new URL(this.#page).protocol === 'kennel:' ? pageOrigin : new URL(this.#page).origin;
    this.#starts = jsonFile(path.join(places.profile, 'starts.json'), startRecordSchema);
    this.#settings = openDesktopSettings(places.home, appLoginItem(places.home));
    const start = async () => (await import('./start-host.ts')).startHost(places.home, this.#agents);
    this.#host = createAppHost(start);
    this.#state = createAppState(
      (input) => this.#tray.show(input),
      () => this.#hostIsUp(),
    );
    this.#asks = createHostCalls(this.#host, () => this.#state.tray());
    this.#shortcut = createAskShortcut(globalShortcut, () => this.#showAsk());
    this.#lock = this.#createLock();
    this.#gate = this.#createGate();
    this.#window = this.#createWindow();
    this.#questions = createOpenQuestions(() => this.#question.look());
    this.#question = this.#createQuestionWindow();
    this.#ask = createAskWindow(this.#smallWindow());
    this.#tray = createAppTray({
      icons: places.icons,
      panel: this.#settings.current().trayPanel,
      wanted: !process.argv.includes('--no-tray'),
      actions: this.#actions(),
    });
    this.#notifier = createNotifier(appNotifications, {
      open: (route, question) => this.#showQuestion(question, route),
      answer: (question, isYes) => void this.#answerInPlace(question, isYes),
    });
    this.#updates = this.#startUpdates();
    this.#state.setLocked(this.#lock.isLocked());
    this.#settings.onChange(({ trayPanel, language }) => {
      this.#tray.setPanel(trayPanel);
      void this.#speak(language);
    });
  }

  async run(): Promise<void> {
    const allowed = this.#origin === pageOrigin ? [pageOrigin] : [pageOrigin, this.#origin];
    guardSession(session.defaultSession, allowed);
    servePages(session.defaultSession, this.#places.renderer, (path) => this.#shellPage(path));
    await this.#speak(this.#settings.current().language);
    this.#shortcut.set(this.#settings.current().askShortcut);
    this.#listen();
    const end = await this.#recoverFirst();
    if (end === 'quit') return this.quit(false);
    this.#agents = end === 'start';
    const shows = this.#link.waits() || !process.argv.includes('--hidden') || !this.#tray.present;
    if (shows) this.#window.show(this.#link.waits() ? joinRoute : undefined);
    if (shows) await this.#host.askedFor();
    await this.#connect(await this.#host.started());
  }

  /** Changes the language; tray and menu bar already exist and are rebuilt. */
  async #speak(language: ShellLanguage): Promise<void> {
    await speakShell(language, app.getPreferredSystemLanguages());
    setAppMenu(this.#actions());
    this.#tray.redraw();
  }

  async quit(waits: boolean): Promise<void> {
    if (this.#quitting) return this.#quitWait.focus();
    this.#quitting = true;
    if (waits && !(await this.#quitWait.run(this.#icon))) {
      this.#quitting = false;
      return;
    }
    const failed = this.#failure !== null;
    const clean = await this.#stopEverything(waits);
    if (clean && !failed) startHeld(this.#starts);
    this.#leaving = true;
    app.exit(clean && !failed ? 0 : 1);
  }

  async #stopEverything(now: boolean): Promise<boolean> {
    clearTimeout(this.#holds);
    this.#stopWatching();
    this.#notifier.clear();
    this.#updates.stop();
    this.#lock.stop();
    this.#failureWindow?.close();
    this.#shortcut.stop();
    this.#questions.stop();
    this.#closeSmallWindows();
    this.#window.destroy();
    const clean = await this.#host.stop('quit', now);
    this.#tray.destroy();
    return clean;
  }

  async #update(): Promise<void> {
    if (this.#quitting || this.#updates.ready() === null) return;
    this.#quitting = true;
    await this.#stopEverything(false);
    startHeld(this.#starts);
    this.#leaving = true;
    if (!this.#updates.install()) app.exit(1);
  }

  async #recoverFirst(): Promise<RecoveryEnd> {
    if (!beginStart(this.#starts, Date.now())) return 'start';
    const { recoveryWork } = await import('./recovery-work.ts');
    this.#recovery = createRecovery(this.#places.home, recoveryWork(this.#places.home));
    const end = await this.#recovery.run(this.#icon);
    this.#recovery = null;
    return end;
  }

  #hostIsUp(): void {
    this.#holds ??= setTimeout(() => startHeld(this.#starts), holdsAfterMs);
    this.#holds.unref();
  }

  async #connect(result: Result<LinkedHost>): Promise<void> {
    if (this.#quitting) return;
    if (!result.ok) return this.#showFailure(result.error);
    const host = result.value;
    this.#failure = null;
    void this.#lock.hostLinked();
    this.#state.follow(host);
    this.#questions.follow(host);
    const version = this.#updates.ready();
    if (version !== null) this.#asks.updateReady(version);
    this.#stopWatching();
    this.#stopWatching = watchNotifications({
      host,
      settings: () => this.#settings.current(),
      isWatched: () => !this.#lock.isLocked() && this.#hasFocus(),
      isLocked: this.#lock.isLocked,
      ring: this.#notifier.ring,
      settled: this.#notifier.settled,
    });
    void host.stopped.then(() => (this.#swapping ? undefined : this.quit(false)));
  }

  /** The quick ask does not count: it shows no news of other rooms. */
  #hasFocus(): boolean {
    return this.#window.isFocused() || this.#question.isFocused();
  }

  /** Their pages belong to one host and one unlocked state. */
  #closeSmallWindows(): void {
    this.#question.close();
    this.#ask.close();
  }

  #showFailure(error: AppError): void {
    this.#failure = error;
    this.#state.failed();
    const parts = [error.message, error.hint, error.where].filter(
      (part) => part !== undefined && part !== '',
    );
    console.error(`Kennel did not start: ${parts.join(' ')}`);
    this.#window.destroy();
    this.#failureWindow?.close();
    this.#failureWindow = openShellWindow({
      path: failurePath,
      icon: this.#icon,
      size: { width: 600, height: 320 },
      onAction: (action) => this.#onFailureAction(action),
      onClosed: () => void this.quit(false),
    });
  }

  #onFailureAction(action: string): void {
    if (action === 'quit') void this.quit(false);
    if (action === 'logs') void shell.openPath(path.join(this.#places.home, 'logs'));
    if (action !== 'again') return;
    this.#failureWindow?.close();
    this.#failureWindow = null;
    this.#failure = null;
    this.#window.show();
    void this.#host.again().then((result) => this.#connect(result));
  }

  async #hostHere(): Promise<Result<unknown>> {
    if (this.#state.host().state !== 'lost') {
      return err(textError('conflict', t('shell.hostIsThere')));
    }
    this.#closeSmallWindows();
    const result = await this.#host.again();
    await this.#connect(result);
    // The page is still subscribed to the previous host.
    this.#window.reload();
    return result.ok ? ok({}) : result;
  }

  /** The page has no host meanwhile; it reloads with the next one. */
  async #withoutHost<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    this.#swapping = true;
    this.#closeSmallWindows();
    const stopped = await this.#host.stop('restore');
    try {
      return stopped ? await work() : err(textError('timeout', t('shell.hostStays')));
    } finally {
      const next = await this.#host.again();
      this.#swapping = false;
      // The operator may have opened one meanwhile.
      this.#closeSmallWindows();
      await this.#connect(next);
      this.#window.reload();
    }
  }

  #files(): ReturnType<typeof createDesktopFiles> {
    return createDesktopFiles({
      dialogs: createFileDialogs(() => BrowserWindow.getFocusedWindow()),
      ownsHost: () => this.#state.host().by === 'app',
      ask: (...asked) => this.#host.ask(...asked),
      loadWork: async () => (await import('./recovery-work.ts')).recoveryWork(this.#places.home),
      withoutHost: (work) => this.#withoutHost(work),
    });
  }

  #actions(): TrayActions {
    return {
      open: (route) => this.#show(route),
      answer: (agent) => {
        // The count includes more than approvals; only a single item opens alone.
        const several = agent === null && (this.#state.tray().host?.waiting ?? 0) > 1;
        this.#showQuestion(several ? null : this.#questions.only(agent), '#/inbox');
      },
      ask: () => this.#showAsk(),
      quit: () => void this.quit(true),
      lock: () =>
        void this.#lock.lock().then((locked) => (locked.ok ? undefined : this.#show('#/settings/security'))),
      setPaused: (agent, paused) => this.#asks.setPaused(agent, paused),
      setAllPaused: (paused) => this.#asks.setAllPaused(paused),
      hostHere: () => void this.#hostHere(),
      update: () => void this.#update(),
    };
  }

  #show(route?: string): void {
    const instead = this.#recovery ?? this.#failureWindow ?? (this.#quitting ? this.#quitWait : null);
    if (instead) instead.focus();
    else this.#window.show(route);
  }

  /** A waiting approval opens in the small window; several, or an answered one, open in the main window. */
  #showQuestion(id: string | null, route: string): void {
    if (id === null || this.#quitting || this.#lock.isLocked() || !this.#questions.waits(id))
      this.#show(route);
    else this.#question.show(id);
  }

  /** An answer that does not count leads to the question. */
  async #answerInPlace(question: { readonly id: string; readonly digest: string }, isYes: boolean) {
    const counts = !this.#lock.isLocked() && (await this.#asks.answer(question, isYes));
    if (!counts) this.#showQuestion(question.id, `#/inbox/${encodeURIComponent(question.id)}`);
  }

  #showAsk(): void {
    if (trayView(this.#state.tray()).canAsk && !this.#quitting) this.#ask.toggle();
    else this.#show();
  }

  #shellPage(path: string): ShellPage | null {
    if (path === quitPath) return this.#quitWait.page();
    if (path === recoveryPath) return this.#recovery?.page() ?? null;
    return path === failurePath && this.#failure ? failurePage(this.#failure) : null;
  }

  #createGate(): IpcGate {
    const gate = createIpcGate({
      host: () => this.#host.started(),
      desktop: createDesktopRows({
        settings: this.#settings,
        files: this.#files(),
        view: () => ({
          host: this.#state.host(),
          tray: this.#tray.present,
          update: { configured: this.#updates.configured, ready: this.#updates.ready() },
        }),
        lock: this.#lock,
        shortcut: this.#shortcut,
        takeLink: () => this.#link.take(),
        show: (route) => this.#show(route),
        hostHere: () => this.#hostHere(),
        installUpdate: () => {
          if (this.#updates.ready() === null) return err(textError('conflict', t('shell.noUpdate')));
          void this.#update();
          return ok({});
        },
      }),
      permits: this.#lock.permits,
      askPerson: createDeviceQuestion(askAboutDevice),
      pageOrigin: this.#origin,
      warn: (message, fields) => console.error(`kennel: ${message} ${JSON.stringify(fields)}`),
    });
    gate.register((channel, listener) =>
      ipcMain.handle(channel, async (...asked) => JSON.stringify(await listener(...asked))),
    );
    return gate;
  }

  #createLock(): AppLock {
    return createAppLock({
      settings: this.#settings,
      ask: (method, input) => this.#host.ask({ kind: 'owner-ui' }, method, input),
      idleSeconds: () => powerMonitor.getSystemIdleTime(),
      errors: {
        noPassphrase: () => textError('not_found', t('shell.noLockPassphrase')),
        notSaved: () => textError('io_error', t('shell.settingNotSaved')),
      },
      onChanged: (isLocked) => {
        this.#state.setLocked(isLocked);
        this.#notifier.clear();
        this.#closeSmallWindows();
        // The page starts again, so that nothing of it stays in the document or in memory.
        this.#window.reload();
      },
    });
  }

  #createQuestionWindow(): QuestionWindow {
    return createQuestionWindow({ ...this.#smallWindow(), waits: (id) => this.#questions.waits(id) });
  }

  #smallWindow() {
    const { admit, pageLeft, dismiss } = this.#gate;
    return { ...this.#pageOptions(), onOpened: admit, onPageLeft: pageLeft, onClosed: dismiss };
  }

  #pageOptions() {
    const { preload } = this.#places;
    return { preload, icon: this.#icon, devTools: !app.isPackaged, address: this.#page };
  }

  #createWindow(): AppWindow {
    return createAppWindow({
      ...this.#pageOptions(),
      place: jsonFile(path.join(this.#places.profile, 'window.json'), windowPlaceSchema),
      graceMs: Number(forDevelopment('KENNEL_WINDOW_GRACE_MS') ?? windowGraceMs),
      hideOnClose: () => !this.#quitting && (this.#tray.present || process.platform === 'darwin'),
      onHidden: () => this.#tellOfTray(),
      onOpened: this.#gate.admit,
      onPageLeft: this.#gate.pageLeft,
      onClosed: (contentsId) => {
        this.#gate.dismiss(contentsId);
        const stays = this.#tray.present || process.platform === 'darwin' || this.#failure !== null;
        if (!stays) void this.quit(true);
      },
    });
  }

  /** Some desktops hide the tray, so the first close of the window explains that the app keeps running. */
  #tellOfTray(): void {
    if (!this.#settings.tellOfTray()) return;
    const [title, body] = [t('tray.keepsRunning'), t('tray.keepsRunningBody')];
    this.#notifier.ring({
      title,
      body,
      route: '#/home',
      answer: null,
      isWhole: false,
      questions: [],
    });
  }

  #startUpdates(): Updates {
    return startUpdates({
      packaged: app.isPackaged,
      resources: process.resourcesPath,
      wanted: () => this.#settings.current().updates,
      onReady: (version) => {
        this.#state.updateReady(version);
        this.#asks.updateReady(version);
      },
      warn: (message) => console.error(`kennel: ${message}`),
    });
  }

  #listen(): void {
    app.on('second-instance', (_event, argv) => this.#show(this.#link.open(argv) ? joinRoute : undefined));
    app.on('open-url', () => this.#show(this.#link.waits() ? joinRoute : undefined));
    // On Linux the desktop file of the package declares the scheme.
    if (app.isPackaged && process.platform !== 'linux')
      app.setAsDefaultProtocolClient('kennel', process.execPath, ['--']);
    app.on('activate', () => this.#show());
    // The app keeps running in the tray; without a listener Electron quits with the last window.
    app.on('window-all-closed', () => {});
    app.on('before-quit', (event) => {
      if (this.#leaving) return;
      event.preventDefault();
      void this.quit(true);
    });
    this.#lock.watch();
    for (const event of ['lock-screen', 'suspend'] as const)
      powerMonitor.on(event as 'suspend', () => {
        if (this.#settings.current().lockAfterMin > 0) void this.#lock.lock();
      });
    // The system is shutting down: the countdown is skipped, and turns resume at the next start.
    powerMonitor.on('shutdown', () => void this.quit(false));
    // A second signal exits at once.
    const onSignal = (): void => (this.#quitting ? app.exit(130) : void this.quit(false));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  }
}

export function runApp(places: AppPlaces, link: OpenedLink): Promise<void> {
  return new KennelApp(places, link).run();
}
