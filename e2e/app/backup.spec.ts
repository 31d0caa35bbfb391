/**
 * Backup, restore and folder import through the system's dialogs; the app keeps running while its host is
 * replaced.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { freshFolder } from '../desktop.ts';
import { hideUnheard, newNotices, soon, standing } from './on-desktop.ts';
import { call, expect, press, slugOf, test, tryItNow } from './open-app.ts';
import { watchTray } from './watch-tray.ts';

/** Path that the next dialogs return. */
const picks = (app: ElectronApplication, folder: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    const answer = async () => ({ canceled: false, filePath, filePaths: [filePath] });
    dialog.showSaveDialog = answer as unknown as typeof dialog.showSaveDialog;
    dialog.showOpenDialog = answer as unknown as typeof dialog.showOpenDialog;
  }, folder);

const openBackup = (page: Page): Promise<void> =>
  page.evaluate(() => {
    location.hash = '#/settings/backup';
  });

const untilOnline = (page: Page): Promise<void> =>
  expect
    .poll(async () => (await call(page, 'agents.get', { agent: 'guide' })).connection, soon)
    .toBe('online');

test('The window saves a backup and restores it with the host and agents; the replaced data is kept', async ({
  open,
}) => {
  const home = freshFolder('home');
  const { app, page } = await open(home);
  await tryItNow(page);
  const copy = path.join(freshFolder('copy'), 'kennel');
  await picks(app, copy);
  await openBackup(page);
  await press(page, 'Save a backup as…');
  await expect(page.getByText(copy)).toBeVisible({ timeout: 20_000 });
  expect(existsSync(path.join(copy, 'manifest.json'))).toBe(true);

  await call(page, 'agents.rename', { agent: 'guide', displayName: 'Renamed since' });
  await press(page, 'Choose a backup…');
  const question = page.getByRole('dialog', { name: 'Restore this backup?' });
  await expect(question).toContainText(copy);
  await question.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText(/Restored \d+ files/)).toBeVisible({ timeout: 30_000 });
  await page.screenshot({ path: 'test-results/screens/restored.png' });
  const { agents } = await call(page, 'agents.list', {});
  expect(agents.map(({ displayName }) => displayName)).toContain('Guide');
  expect(agents.map(({ displayName }) => displayName)).not.toContain('Renamed since');
  await untilOnline(page);
  const aside = readdirSync(path.dirname(home)).filter((name) =>
    name.startsWith(`${path.basename(home)}.before-`),
  );
  expect(aside).toHaveLength(1);

  // A restore needs a new choice in a dialog, which the page cannot make.
  await expect(call(page, 'desktop.restore', {})).rejects.toThrow('No backup chosen');
});

test('After a restore the quick ask and notifications use the new host', async ({ open }) => {
  const { app, page } = await open(freshFolder('home'));
  const tray = await watchTray(app);
  await tryItNow(page);
  await picks(app, path.join(freshFolder('copy'), 'kennel'));
  await openBackup(page);
  await press(page, 'Save a backup as…');
  await expect(page.getByText(/files?, .* in /)).toBeVisible(soon);
  await press(page, 'Choose a backup…');
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText(/Restored \d+ files/)).toBeVisible({ timeout: 30_000 });
  await untilOnline(page);

  // The menu follows the agents of the new host a moment after the page.
  await expect.poll(async () => (await tray.row('ask')) !== undefined, soon).toBe(true);
  const opened = app.waitForEvent('window');
  await tray.click('ask');
  const small = await opened;
  await small.getByLabel('@agent question').fill('@Guide echo after the restore');
  await small.keyboard.press('Enter');
  const answer = small.getByLabel('Message from Guide').filter({ hasText: 'after the restore' });
  await expect(answer).toBeVisible(soon);
  // A draft is visible before the answer has arrived, and an answer that arrives unread is announced.
  const dm = `dm:${await slugOf(page, 'guide')}`;
  const unread = async () => {
    const { agents } = await call(page, 'agents.list', {});
    const { rooms } = await call(page, 'chat.rooms', {});
    return { dot: agents.find(({ id }) => id === 'guide')?.dot, unread: rooms[dm]?.unread };
  };
  await expect.poll(unread, soon).toEqual({ dot: 'idle', unread: 0 });
  // The window may be gone before the driver hears that the key is down.
  await small.keyboard.down('Escape').catch(() => {});
  await expect.poll(() => app.windows().length, soon).toBe(1);

  await hideUnheard(app);
  await call(page, 'chat.send', { to: dm, text: 'write after.md' });
  await expect.poll(standing, soon).not.toBe('0');
  expect(newNotices().map(({ summary }) => summary)).toContain('Guide needs your answer');
});

test('The window imports an agent from a chosen folder after a preview, without a terminal', async ({
  open,
}) => {
  const { app, page } = await open(freshFolder('home'));
  await tryItNow(page);
  const folder = path.join(freshFolder('elsewhere'), 'rex');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'agent.yml'), 'display_name: Rex\nruntime:\n  provider: scripted\n');
  writeFileSync(path.join(folder, 'profile.md'), '# Agent Profile\n\n## Soul\n\nDry.\n');
  await picks(app, folder);
  await page.evaluate(() => {
    location.hash = '#/agents';
  });
  await page
    .getByRole('button', { name: /^Import/ })
    .first()
    .click();
  await press(page, 'Choose a folder…');
  const dialog = page.getByRole('dialog', { name: 'Import an agent' });
  await expect(dialog.getByText('Rex').first()).toBeVisible({ timeout: 20_000 });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByText('rex was imported.')).toBeVisible({ timeout: 20_000 });
  expect(existsSync(path.join(folder, 'agent.yml'))).toBe(true);
});
