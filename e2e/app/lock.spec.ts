/** The lock of the app: a locked window, its title and the tray show nothing private. */
import { hide, soon } from './on-desktop.ts';
import { call, expect, test, tryItNow } from './open-app.ts';
import { watchTray } from './watch-tray.ts';

test('A locked window shows nothing of Kennel until the passphrase is typed', async ({ open }) => {
  const { app, page } = await open();
  const tray = await watchTray(app);
  await tryItNow(page);
  await expect.poll(async () => (await tray.row('agent:guide')) !== undefined, soon).toBe(true);
  await call(page, 'lock.setPassphrase', { passphrase: 'open sesame', former: null });
  await page.goto(`${page.url().split('#')[0]}#/settings/security`);
  await page.getByRole('button', { name: 'Lock now' }).click();
  await expect(page.getByRole('heading', { name: 'This page is locked' })).toBeVisible(soon);
  expect(await page.title()).toBe('Kennel');
  expect(await page.locator('body').innerText()).not.toMatch(/Guide|general|Checker/);
  const refused = await page.evaluate(async () => {
    const bridge = (window as unknown as { kennel: { call(m: string, i: unknown): Promise<string> } }).kennel;
    return Promise.all([bridge.call('agents.list', {}), bridge.call('desktop.takeScreen', {})]);
  });
  for (const answer of refused) expect(JSON.parse(answer)).toMatchObject({ error: { code: 'locked' } });
  await expect.poll(async () => (await tray.row('agent:guide')) === undefined, soon).toBe(true);
  expect((await tray.row('state'))?.label).toBe('Kennel is locked');
  await page.getByLabel('Passphrase').fill('open sesame');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('button', { name: 'Lock now' })).toBeVisible(soon);
  await expect.poll(async () => (await tray.row('agent:guide')) !== undefined, soon).toBe(true);
  await hide(app);
});
