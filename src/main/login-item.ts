/** Start at login: an autostart file on Linux, the system's list elsewhere. The app then starts hidden. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { textError } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { t } from '../language/texts.ts';
import type { LoginItem } from './desktop-settings.ts';

export interface AutostartPlace {
  /** XDG_CONFIG_HOME, or ~/.config. */
  readonly configHome: string;
  /** Suffix of the file name for a data folder other than the default. */
  readonly mark: string;
  /** Data folder to pass as KENNEL_HOME, or `null` for the default. */
  readonly home: string | null;
  /** Program and its first arguments, as absolute paths. */
  readonly words: readonly string[];
}

/**
 * One argument of an Exec line (Desktop Entry Specification): quoted, then escaped again as a string value.
 */
const execWord = (word: string): string =>
  `"${word.replace(/["`$\\]/g, '\\$&')}"`.replaceAll('\\', '\\\\').replaceAll('%', '%%');

export function autostartText({ words, home }: AutostartPlace): string {
  const start = [...words, '--hidden'].map(execWord).join(' ');
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Kennel',
    'Comment=Looks after your AI agents',
    `Exec=${home === null ? start : `env ${execWord(`KENNEL_HOME=${home}`)} ${start}`}`,
    'Icon=kennel-app',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

const failed = (file: string, error: unknown) =>
  err(
    textError('io_error', t('shell.loginNotChanged'), {
      where: file,
      hint: error instanceof Error ? error.message : t('shell.loginNotChangedHint'),
    }),
  );

/** Desktop settings disable an autostart file with one of these lines instead of removing it. */
const switchedOff = /^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m;

export function linuxLoginItem(place: AutostartPlace): LoginItem {
  const file = path.join(place.configHome, 'autostart', `kennel${place.mark}.desktop`);
  return {
    enabled() {
      try {
        return existsSync(file) && !switchedOff.test(readFileSync(file, 'utf8'));
      } catch {
        return false;
      }
    },
    set(enabled): Result<void> {
      try {
        if (!enabled) rmSync(file, { force: true });
        else {
          mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
          writeFileSync(file, autostartText(place), { mode: 0o644 });
        }
        return ok(undefined);
      } catch (error) {
        return failed(file, error);
      }
    },
  };
}

/** The part of Electron's `app` for login items on macOS and Windows. */
export interface SystemLoginItems {
  getLoginItemSettings(options: object): { openAtLogin: boolean };
  setLoginItemSettings(settings: object): void;
}

export function systemLoginItem(system: SystemLoginItems, args: readonly string[]): LoginItem {
  const options = { args: [...args, '--hidden'] };
  return {
    enabled: () => system.getLoginItemSettings(options).openAtLogin,
    set(enabled) {
      system.setLoginItemSettings({ ...options, openAtLogin: enabled, openAsHidden: true });
      return ok(undefined);
    },
  };
}
