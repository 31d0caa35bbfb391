/**
 * Backup, restore and folder import through the system's dialogs; the app keeps running while its host is
 * replaced.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { freshFolder } from '../desktop.ts';
import { call, expect, press, test, tryItNow } from './open-app.ts';

/** Path that the next dialogs return. */
const picks = (app: ElectronApplication, folder: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    const answer = async () => ({ canceled: false, filePath, filePaths: [filePath] });
    dialog.showSaveDialog = answer as unknown as typeof dialog.showSaveDialog;
    dialog.showOpenDialog = answer as unknown as typeof dialog.showOpenDialog;
  }, folder);

test('The window saves a backup and restores it with the host and agents; the replaced data is kept', async ({
  open,
}) => {
  const home = freshFolder('home');
  const { app, page } = await open(home);
  await tryItNow(page);
  const copy = path.join(freshFolder('copy'), 'kennel');
  await picks(app, copy);
  await page.evaluate(() => {
    location.hash = '#/settings/backup';
  });
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
  await expect
    .poll(async () => (await call(page, 'agents.get', { agent: 'guide' })).connection, { timeout: 20_000 })
    .toBe('online');
  const aside = readdirSync(path.dirname(home)).filter((name) =>
    name.startsWith(`${path.basename(home)}.before-`),
  );
  expect(aside).toHaveLength(1);

  // A restore needs a new choice in a dialog, which the page cannot make.
  await expect(call(page, 'desktop.restore', {})).rejects.toThrow('No backup chosen');
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
