/** Settings of the desktop app: desktop.json in the data folder, created with the first change. */

import path from 'node:path';
import { z } from 'zod';
import {
  type DesktopSettings,
  isShortcut,
  notifyKindSchema,
  shellLanguageSchema,
  trayPanelSchema,
} from '../contract/desktop-methods.ts';
import { textError } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { t } from '../language/texts.ts';
import { jsonFile } from './json-file.ts';

/**
 * Fields fall back to their default separately, so that a value of another version loses only that setting.
 */
const storedSchema = z.object({
  notify: z.partialRecord(notifyKindSchema, z.boolean()).catch({}).default({}),
  notifyText: z.boolean().catch(false).default(false),
  trayPanel: trayPanelSchema.catch('auto').default('auto'),
  language: shellLanguageSchema.catch('system').default('system'),
  askShortcut: z.string().refine(isShortcut).catch('').default(''),
  updates: z.boolean().catch(true).default(true),
  lockAfterMin: z.number().int().min(0).max(240).catch(0).default(0),
  isLocked: z.boolean().catch(true).default(false),
  toldOfTray: z.boolean().catch(false).default(false),
});
type Stored = z.output<typeof storedSchema>;

/** Start at login is stored by the system, not in this file. */
export interface LoginItem {
  enabled(): boolean;
  set(enabled: boolean): Result<void>;
}

type Some<T> = { readonly [K in keyof T]?: T[K] | undefined };

type Change = Some<Omit<DesktopSettings, 'notify'>> & {
  readonly notify?: Some<DesktopSettings['notify']> | undefined;
};

export interface DesktopSettingsFile {
  current(): DesktopSettings;
  /** Saves all changes or none, except start at login, which the system saves separately. */
  set(change: Change): Result<DesktopSettings>;
  onChange(listener: (settings: DesktopSettings) => void): void;
  /** Survives a restart, so that quitting does not open a locked window. */
  isLocked(): boolean;
  setLocked(locked: boolean): boolean;
  /** Returns true once per data folder. */
  tellOfTray(): boolean;
}

const allOn: DesktopSettings['notify'] = { approvals: true, finished: true, failed: true, mentioned: true };

/** Treats both absent and `undefined` fields as unchanged. */
const merged = <T extends object>(base: T, change: Some<T>): T => ({
  ...base,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
});

export function openDesktopSettings(home: string, login: LoginItem): DesktopSettingsFile {
  const file = jsonFile(path.join(home, 'desktop.json'), storedSchema);
  // An unreadable file may have been that of a locked window, which opens again if no passphrase is set.
  let stored: Stored = file.read() ?? storedSchema.parse({ isLocked: file.exists() });
  let listener: (settings: DesktopSettings) => void = () => {};

  const current = (): DesktopSettings => {
    const { notify, toldOfTray: _, isLocked: __, ...rest } = stored;
    return { ...rest, notify: { ...allOn, ...notify }, startAtLogin: login.enabled() };
  };
  const keep = (next: Stored): boolean => {
    if (!file.write(next)) return false;
    stored = next;
    return true;
  };

  return {
    current,
    set({ startAtLogin, notify, ...rest }) {
      if (startAtLogin !== undefined) {
        const changed = login.set(startAtLogin);
        if (!changed.ok) return changed;
      }
      const next: Stored = { ...merged(stored, rest), notify: merged(stored.notify, notify ?? {}) };
      if (JSON.stringify(next) !== JSON.stringify(stored) && !keep(next)) {
        return err(
          textError('io_error', t('shell.settingNotSaved'), {
            hint: t('shell.settingNotSavedHint'),
          }),
        );
      }
      const settings = current();
      listener(settings);
      return ok(settings);
    },
    onChange(next) {
      listener = next;
    },
    isLocked: () => stored.isLocked,
    setLocked: (isLocked) => keep({ ...stored, isLocked }),
    tellOfTray: () => !stored.toldOfTray && keep({ ...stored, toldOfTray: true }),
  };
}
