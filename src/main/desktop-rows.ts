/** Handles the methods about the desktop app itself, which never reach a host. */

import type { z } from 'zod';
import { type DesktopView, desktopMethods } from '../contract/desktop-methods.ts';
import { textError } from '../contract/errors.ts';
import { inputText } from '../contract/issue-text.ts';
import { parseInput } from '../contract/method-row.ts';
import { err, ok, type Result } from '../contract/result.ts';
import type { AppLock } from './app-lock.ts';
import type { AskShortcut } from './ask-shortcut.ts';
import type { DesktopFiles } from './desktop-files.ts';
import type { DesktopSettingsFile } from './desktop-settings.ts';

type Rows = typeof desktopMethods;
type Row = keyof Rows;

export interface Desktop {
  readonly settings: DesktopSettingsFile;
  readonly files: DesktopFiles;
  readonly shortcut: AskShortcut;
  view(): Omit<DesktopView, 'settings' | 'restore' | 'isShortcutTaken'>;
  readonly lock: Pick<AppLock, 'isLocked' | 'lock' | 'unlock'>;
  hostHere(): Promise<Result<unknown>>;
  show(route: string): void;
  takeLink(): string;
  /** Quits and starts the downloaded version. */
  installUpdate(): Result<unknown>;
}

type Handlers = {
  readonly [M in Row]: (
    input: z.output<Rows[M]['input']>,
  ) => Result<z.output<Rows[M]['output']>> | Promise<Result<unknown>>;
};

/** Returns `null` for any other method. */
export type DesktopRows = (method: string, input: unknown) => Promise<Result<unknown>> | null;

export function createDesktopRows(desktop: Desktop): DesktopRows {
  let screen = '';

  /** A shortcut that another program uses is not saved. */
  function set(change: z.output<Rows['desktop.set']['input']>): ReturnType<DesktopSettingsFile['set']> {
    const { settings, shortcut } = desktop;
    const before = settings.current().askShortcut;
    const { askShortcut } = change;
    if (askShortcut !== undefined) {
      const taken = shortcut.set(askShortcut);
      if (!taken.ok) return taken;
    }
    const saved = settings.set(change);
    if (!saved.ok && askShortcut !== undefined) shortcut.set(before);
    return saved;
  }

  const handlers: Handlers = {
    'desktop.view': () =>
      ok({
        ...desktop.view(),
        settings: desktop.settings.current(),
        restore: desktop.files.restoreState(),
        isShortcutTaken: desktop.shortcut.isTaken(),
      }),
    'desktop.set': (change) => set(change),
    'desktop.show': ({ route }) => {
      desktop.show(route);
      return ok({});
    },
    'desktop.keepScreen': (input) => {
      screen = input.screen;
      return ok({});
    },
    'desktop.takeScreen': () => ok({ screen }),
    'desktop.takeLink': () => ok({ link: desktop.takeLink() }),
    'desktop.lockState': () =>
      ok({ isLocked: desktop.lock.isLocked(), isHostLost: desktop.view().host.state === 'lost' }),
    'desktop.lock': () => desktop.lock.lock(),
    'desktop.unlock': ({ passphrase }) => desktop.lock.unlock(passphrase),
    'desktop.hostHere': () => desktop.hostHere(),
    'desktop.installUpdate': () => Promise.resolve(desktop.installUpdate()),
    'desktop.pickImport': ({ what }) => desktop.files.pickImport(what),
    'desktop.pickFolder': () => desktop.files.pickFolder(),
    'desktop.pickSkills': ({ what }) => desktop.files.pickSkills(what),
    'desktop.saveBackup': () => desktop.files.saveBackup(),
    'desktop.pickBackup': () => desktop.files.pickBackup(),
    'desktop.restore': () => desktop.files.restore(),
  };
  const isRow = (method: string): method is Row => Object.hasOwn(handlers, method);

  return (method, input) => {
    if (!isRow(method)) return null;
    const parsed = parseInput<z.ZodType>(desktopMethods[method].input, input ?? {});
    if (!parsed.success) return Promise.resolve(err(textError('invalid_input', inputText(parsed.issues))));
    const handler = handlers[method] as (given: unknown) => Result<unknown> | Promise<Result<unknown>>;
    return Promise.resolve(handler(parsed.data));
  };
}
