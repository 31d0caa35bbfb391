import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ok } from '../contract/result.ts';
import { openDesktopSettings } from './desktop-settings.ts';

let home = '';
let atLogin = false;
const login = {
  enabled: () => atLogin,
  set: (enabled: boolean) => {
    atLogin = enabled;
    return ok(undefined);
  },
};
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'kennel-desktop-'));
  atLogin = false;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('Desktop settings default to all notifications without text and write no file before a change', () => {
  const settings = openDesktopSettings(home, login);
  expect(settings.current()).toEqual({
    notify: { approvals: true, finished: true, failed: true, mentioned: true },
    notifyText: false,
    lockAfterMin: 0,
    askShortcut: '',
    trayPanel: 'auto',
    language: 'system',
    updates: true,
    startAtLogin: false,
  });
  settings.set({ startAtLogin: true });
  expect(readdirSync(home)).toEqual([]);
});

it('Desktop settings save each choice in a file readable only by the owner', () => {
  const settings = openDesktopSettings(home, login);
  settings.set({ notify: { failed: false } });
  const changed = settings.set({ notifyText: true, startAtLogin: true });
  expect(changed).toMatchObject({ ok: true, value: { notifyText: true, startAtLogin: true } });
  expect(statSync(path.join(home, 'desktop.json')).mode & 0o777).toBe(0o600);
  const again = openDesktopSettings(home, login).current();
  expect(again).toMatchObject({ notifyText: true, notify: { approvals: true, failed: false } });
});

it('Desktop settings fall back per unreadable choice', () => {
  writeFileSync(path.join(home, 'desktop.json'), '{"trayPanel":"pink","notifyText":true}');
  expect(openDesktopSettings(home, login).current()).toMatchObject({ trayPanel: 'auto', notifyText: true });
  writeFileSync(path.join(home, 'desktop.json'), '{"trayP');
  expect(openDesktopSettings(home, login).current()).toMatchObject({ trayPanel: 'auto', notifyText: false });
});

it('Desktop settings report a failed save and keep the old value', () => {
  mkdirSync(path.join(home, 'desktop.json'));
  const settings = openDesktopSettings(home, login);
  expect(settings.set({ notifyText: true })).toMatchObject({ ok: false, error: { code: 'io_error' } });
  expect(settings.current().notifyText).toBe(false);
});

it('Desktop settings request the tray hint once', () => {
  expect(openDesktopSettings(home, login).tellOfTray()).toBe(true);
  expect(openDesktopSettings(home, login).tellOfTray()).toBe(false);
});

it('an unreadable file counts as locked, an absent one does not', () => {
  expect(openDesktopSettings(home, login).isLocked()).toBe(false);
  writeFileSync(path.join(home, 'desktop.json'), '{"isLocked":tr');
  const settings = openDesktopSettings(home, login);
  expect(settings.isLocked()).toBe(true);
  expect(settings.setLocked(false)).toBe(true);
  expect(openDesktopSettings(home, login).isLocked()).toBe(false);
});
