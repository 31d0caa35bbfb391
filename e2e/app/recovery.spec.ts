/** After several failed starts, the next one opens the recovery window and changes nothing by itself. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freshFolder } from '../desktop.ts';
import { call, expect, killApp, press, test, tryItNow } from './open-app.ts';

test('After three crashes in a row, the next start offers a backup and a start without agents', async ({
  open,
}) => {
  const home = freshFolder('home');
  const first = await open(home);
  await tryItNow(first.page);
  await killApp(first);
  for (let times = 0; times < 3; times += 1) await killApp(await open(home));

  const record = path.join(home, 'host.json');
  const before = readFileSync(record, 'utf8');
  const { app, page } = await open(home);
  await expect(page.getByRole('heading', { name: 'Kennel keeps failing to start' })).toBeVisible();
  await page.screenshot({ path: 'test-results/screens/recovery.png' });
  // Left by the killed app; a host that starts would write its own process id there.
  expect(readFileSync(record, 'utf8')).toBe(before);
  const copy = path.join(freshFolder('copy'), 'kennel');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = (async () => ({
      canceled: false,
      filePath,
    })) as unknown as typeof dialog.showSaveDialog;
  }, copy);
  await press(page, 'Save a copy…');
  await expect(page.getByText(/A copy of \d+ files is in/)).toBeVisible({ timeout: 20_000 });
  expect(existsSync(path.join(copy, 'manifest.json'))).toBe(true);

  const opened = app.waitForEvent('window');
  await press(page, 'Start without agents');
  const main = await opened;
  await expect(main.getByText('Guide').first()).toBeVisible({ timeout: 20_000 });
  const { agents } = await call(main, 'agents.list', {});
  expect(agents.map(({ dot }) => dot)).not.toContain('idle');
  expect((await call(main, 'host.view', {})).problems.map(({ id }) => id)).toContain('held-agents');
});
