/**
 * Lock of the app's own windows. While it is locked, pages get no data, tray and notifications show no
 * names, and the host keeps running. The lock survives a restart of the app.
 */
import type { z } from 'zod';
import type { AppError } from '../contract/errors.ts';
import type { lockMethods } from '../contract/lock-methods.ts';
import { err, ok, type Result } from '../contract/result.ts';
import type { DesktopSettingsFile } from './desktop-settings.ts';

/** Interval of the check for input, in ms. */
const lookMs = 10_000;

/** Methods that a locked page may call. */
const openMethods: readonly string[] = ['desktop.lockState', 'desktop.unlock', 'desktop.hostHere'];

type LockView = z.output<(typeof lockMethods)['lock.view']['output']>;

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
  /** Call it after each link to a host. */
  hostLinked(): Promise<void>;
  /** Locks after the time without input that the operator chose. */
  watch(): void;
  stop(): void;
}

export function createAppLock({ settings, ask, idleSeconds, errors, onChanged }: AppLockDeps): AppLock {
  let timer: NodeJS.Timeout | undefined;
  let isLinked = false;
  /** The last answer of a host; it also decides about a lock while no host answers. */
  let known: LockView | null = null;
  /** `lastOpened` at the lock; `undefined` while unknown. */
  let openedBefore: string | null | undefined;

  async function look(): Promise<Result<LockView>> {
    const view = (await ask('lock.view', {})) as Result<LockView>;
    if (view.ok) known = view.value;
    return view;
  }

  async function lock(): Promise<Result<unknown>> {
    if (settings.isLocked()) return ok({});
    const view = await look();
    if (settings.isLocked()) return ok({});
    if (!view.ok && known === null) return view;
    // Without a passphrase the owner could not open the window again.
    if (known?.kind === 'none') return err(view.ok ? errors.noPassphrase() : view.error);
    openedBefore = view.ok ? view.value.lastOpened : undefined;
    if (!settings.setLocked(true)) return err(errors.notSaved());
    onChanged(true);
    return ok({});
  }

  function open(): Result<unknown> {
    if (!settings.setLocked(false)) return err(errors.notSaved());
    onChanged(false);
    return ok({});
  }

  /** Opens without a passphrase if none is set, or after the owner unlocked at a terminal. */
  async function openIfAllowed(): Promise<void> {
    const before = openedBefore;
    const view = await look();
    // An answer to an earlier lock does not open this one.
    if (!view.ok || !settings.isLocked() || openedBefore !== before) return;
    const { kind, lastOpened } = view.value;
    if (openedBefore === undefined) openedBefore = lastOpened;
    if (kind === 'none' || (lastOpened !== null && lastOpened !== openedBefore)) open();
  }

  async function tick(): Promise<void> {
    const minutes = settings.current().lockAfterMin;
    if (settings.isLocked()) return isLinked ? openIfAllowed() : undefined;
    if (minutes > 0 && idleSeconds() >= minutes * 60) await lock();
    else if (isLinked && minutes > 0 && (known === null || known.kind === 'none')) await look();
  }

  return {
    isLocked: settings.isLocked,
    permits: (method) => !settings.isLocked() || openMethods.includes(method),
    lock,
    async unlock(passphrase) {
      if (!settings.isLocked()) return ok({});
      const checked = await ask('lock.check', { passphrase });
      if (!checked.ok) return checked;
      return settings.isLocked() ? open() : ok({});
    },
    async hostLinked() {
      isLinked = true;
      if (settings.isLocked()) await openIfAllowed();
      else await look();
    },
    watch() {
      timer = setInterval(() => void tick(), lookMs);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}
