/**
 * Lock of the app's own windows. While it is locked, pages get no data, tray and notifications show no
 * names, and the host keeps running. The lock survives a restart of the app.
 */
import type { AppError } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import type { DesktopSettingsFile } from './desktop-settings.ts';

/** Interval of the check for input, in ms. */
const lookMs = 10_000;

/** Methods that a locked page may call. */
const openMethods: readonly string[] = ['desktop.lockState', 'desktop.unlock'];

export interface AppLockDeps {
  readonly settings: Pick<DesktopSettingsFile, 'current' | 'isLocked' | 'setLocked'>;
  /** Calls the host with the operator's rights. */
  ask(method: string, input: unknown): Promise<Result<unknown>>;
  /** Seconds without input at this computer. */
  idleSeconds(): number;
  readonly errors: { noPassphrase(): AppError; notSaved(): AppError };
  onChanged(isLocked: boolean): void;
}

export interface AppLock {
  isLocked(): boolean;
  permits(method: string): boolean;
  lock(): Promise<Result<unknown>>;
  unlock(passphrase: string): Promise<Result<unknown>>;
  /** Locks after the time without input that the operator chose. */
  watch(): void;
  stop(): void;
}

export function createAppLock({ settings, ask, idleSeconds, errors, onChanged }: AppLockDeps): AppLock {
  let timer: NodeJS.Timeout | undefined;

  async function lock(): Promise<Result<unknown>> {
    if (settings.isLocked()) return ok({});
    const view = await ask('lock.view', {});
    if (!view.ok) return view;
    const { kind } = view.value as { readonly kind: string };
    // Without a passphrase nobody could open the window again.
    if (kind === 'none') return err(errors.noPassphrase());
    if (!settings.setLocked(true)) return err(errors.notSaved());
    onChanged(true);
    return ok({});
  }

  return {
    isLocked: settings.isLocked,
    permits: (method) => !settings.isLocked() || openMethods.includes(method),
    lock,
    async unlock(passphrase) {
      if (!settings.isLocked()) return ok({});
      const checked = await ask('lock.check', { passphrase });
      if (!checked.ok) return checked;
      if (!settings.setLocked(false)) return err(errors.notSaved());
      onChanged(false);
      return ok({});
    },
    watch() {
      timer = setInterval(() => {
        const minutes = settings.current().lockAfterMin;
        if (minutes > 0 && idleSeconds() >= minutes * 60) void lock();
      }, lookMs);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}
