/**
 * Updates: off in a build without a feed (electron-builder writes app-update.yml if `publish` is set). A
 * downloaded and verified version is installed by a restart that the operator requests, after everything has
 * stopped.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The used part of electron-updater, which is loaded only if a feed exists. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  allowDowngrade: boolean;
  logger: unknown;
  on(event: 'update-downloaded', listener: (info: { version: string }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  checkForUpdates(): Promise<unknown>;
  quitAndInstall(silent: boolean, runAfter: boolean): void;
}

export interface Updates {
  readonly configured: boolean;
  /** Downloaded version that waits for a restart, or `null`. */
  ready(): string | null;
  /** Quits and starts the new version; returns false without one. */
  install(): boolean;
  stop(): void;
}

export interface UpdateOptions {
  readonly packaged: boolean;
  readonly resources: string;
  wanted(): boolean;
  onReady(version: string): void;
  warn(message: string): void;
  load?(): Promise<Updater>;
  readonly firstMs?: number;
}

const firstCheckMs = 60_000;
const checkEveryMs = 24 * 60 * 60_000;

const loadUpdater = async (): Promise<Updater> => (await import('electron-updater')).default.autoUpdater;

export function startUpdates(options: UpdateOptions): Updates {
  const configured = options.packaged && existsSync(path.join(options.resources, 'app-update.yml'));
  let updater: Updater | null = null;
  let version: string | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function prepared(): Promise<Updater> {
    if (updater) return updater;
    const loaded = await (options.load ?? loadUpdater)();
    // Installs only on request: any other exit keeps the current version.
    Object.assign(loaded, {
      autoDownload: true,
      autoInstallOnAppQuit: false,
      allowDowngrade: false,
      logger: null,
    });
    loaded.on('update-downloaded', (info) => {
      version = info.version;
      options.onReady(info.version);
    });
    loaded.on('error', (error) => options.warn(`no update could be had: ${error.message}`));
    updater = loaded;
    return loaded;
  }

  async function check(): Promise<void> {
    try {
      if (options.wanted() && version === null) await (await prepared()).checkForUpdates();
    } catch (error) {
      options.warn(`no update could be had: ${error instanceof Error ? error.message : error}`);
    }
    again(checkEveryMs);
  }

  function again(ms: number): void {
    timer = setTimeout(() => void check(), ms);
    timer.unref();
  }

  if (configured) again(options.firstMs ?? firstCheckMs);
  return {
    configured,
    ready: () => version,
    install() {
      if (updater === null || version === null) return false;
      updater.quitAndInstall(false, true);
      return true;
    },
    stop: () => clearTimeout(timer),
  };
}
