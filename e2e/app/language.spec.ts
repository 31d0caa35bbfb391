/** The language chosen in the window applies to tray and menu bar and survives a restart. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, tryItNow } from './open-app.ts';
import { watchTray } from './watch-tray.ts';

test('German chosen in the window applies to the tray, the menu bar and the next start', async ({ open }) => {
  const first = await open();
  await tryItNow(first.page);
  const tray = await watchTray(first.app);
  await first.page.evaluate(() => {
    location.hash = '#/settings/appearance';
  });
  await first.page.getByRole('radio', { name: 'Deutsch' }).click();
  await expect(first.page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible();
  await expect.poll(async () => (await tray.row('quit'))?.label, { timeout: 10_000 }).toBe('Kennel beenden');
  const bar = await first.app.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()?.items.map(({ label }) => label),
  );
  expect(bar).toContain('Agenten');
  expect(JSON.parse(readFileSync(path.join(first.home, 'desktop.json'), 'utf8'))).toMatchObject({
    language: 'de',
  });
  await first.app.evaluate(({ app }) => app.exit(0)).catch(() => null);

  const again = await open(first.home);
  await expect(again.page.locator('html')).toHaveAttribute('lang', 'de');
  await expect
    .poll(() => again.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.at(-1)?.label))
    .toBe('Ansicht');
});
