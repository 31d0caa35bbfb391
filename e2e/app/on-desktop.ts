/** Desktop surfaces besides the main window: notifications, the window for a single approval, hiding. */
import { spawnSync } from 'node:child_process';
import type { ElectronApplication, Page } from '@playwright/test';
import { installed } from '../../test/fakes/programs.ts';
import { expect } from './open-app.ts';

export const soon = { timeout: 20_000 };

export const hide = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

export const visible = (app: ElectronApplication): Promise<boolean> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (one) => one.isVisible() && !one.webContents.getURL().includes('#/approval/'),
    ),
  );

export const dunstctl = (...args: string[]): string =>
  spawnSync(installed('dunstctl'), args, { encoding: 'utf8' }).stdout.trim();

export interface SeenNotice {
  readonly summary: string;
  readonly body: string;
}

/**
 * All tests of a worker share one desktop whose notification history cannot be cleared, so older ids are
 * ignored.
 */
let heard = new Set<number>();

/**
 * Returns notifications since the last call. It closes the visible ones first, because only closed ones are
 * in the history.
 */
export function newNotices(): SeenNotice[] {
  dunstctl('close-all');
  const history = JSON.parse(dunstctl('history')) as {
    data: { id: { data: number }; summary: { data: string }; body: { data: string } }[][];
  };
  const all = history.data[0] ?? [];
  const found = all.filter(({ id }) => !heard.has(id.data));
  heard = new Set(all.map(({ id }) => id.data));
  return found.map(({ summary, body }) => ({ summary: summary.data, body: body.data }));
}

export const standing = (): string => dunstctl('count', 'displayed');

/** The first close shows a notification about the tray, which this function consumes. */
export async function hideUnheard(app: ElectronApplication): Promise<void> {
  newNotices();
  await hide(app);
  await expect.poll(standing, soon).toBe('1');
  expect(newNotices().map(({ summary }) => summary)).toEqual(['Kennel keeps running']);
}

/** Returns the small window that `open` opens for a single approval. */
export async function lonely(app: ElectronApplication, open: () => Promise<void>): Promise<Page> {
  const opened = app.waitForEvent('window');
  await open();
  const small = await opened;
  await expect(small).toHaveURL(/#\/approval\/./);
  return small;
}
