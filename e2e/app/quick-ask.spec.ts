/** The quick ask in the app: opened from the tray or by the global shortcut, closed by Escape. */
import type { ElectronApplication, Page } from '@playwright/test';
import { soon } from './on-desktop.ts';
import { call, expect, test, tryItNow } from './open-app.ts';
import { watchTray } from './watch-tray.ts';

const countWindows = (app: ElectronApplication): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

/** Returns the small window that `open` opens. */
async function asking(app: ElectronApplication, open: () => Promise<void>): Promise<Page> {
  const opened = app.waitForEvent('window');
  await open();
  const small = await opened;
  await expect(small).toHaveURL(/#\/ask$/);
  return small;
}

test('The quick ask opens from the tray, sends a direct message, streams the answer, and keeps nothing', async ({
  open,
}) => {
  const { app, page } = await open();
  const tray = await watchTray(app);
  await tryItNow(page);
  await expect.poll(async () => (await tray.row('ask'))?.label, soon).toBe('Quick ask…');
  const began = Date.now();
  const small = await asking(app, () => tray.click('ask'));
  const line = small.getByLabel('@agent question');
  await expect(line).toBeFocused(soon);
  console.log(`The quick ask was ready after ${Date.now() - began} ms.`);
  await expect(small.getByRole('option')).toHaveCount(2, soon);
  await small.screenshot({ path: 'test-results/screens/quick-ask.png' });
  await line.pressSequentially('gui');
  await small.keyboard.press('Enter');
  await line.pressSequentially('echo from the quick ask');
  await small.keyboard.press('Enter');
  const answer = small.getByLabel('Message from Guide').filter({ hasText: 'from the quick ask' });
  await expect(answer).toBeVisible(soon);
  await small.screenshot({ path: 'test-results/screens/quick-ask-answer.png' });
  const { rooms } = await call(page, 'chat.rooms', {});
  const dm = Object.values(rooms).find(({ kind, name }) => kind === 'dm' && name === 'Guide');
  expect(dm?.lastText).toContain('from the quick ask');
  const unread = async () => (await call(page, 'chat.rooms', {})).rooms[dm?.id ?? '']?.unread;
  await expect.poll(unread, soon).toBe(0);
  // The window may be gone before the driver hears that the key is down.
  await small.keyboard.down('Escape').catch(() => {});
  await expect.poll(() => countWindows(app), soon).toBe(1);
  const again = await asking(app, () => tray.click('ask'));
  await expect(again.getByLabel('@agent question')).toHaveValue('@', soon);
  await expect(again.getByText('from the quick ask')).toHaveCount(0);
  // An approval that the agent waits for can be answered here.
  await again.getByLabel('@agent question').fill('@Guide write asked.md');
  await again.keyboard.press('Enter');
  await expect(again.getByRole('article', { name: 'Guide wants to write asked.md' })).toBeVisible(soon);
  await again.getByRole('button', { name: 'Open in Kennel' }).click();
  await expect.poll(() => countWindows(app), soon).toBe(1);
  await expect.poll(() => new URL(page.url()).hash, soon).toMatch(/^#\/chat\/dm/);
});

test('A shortcut for the quick ask is set in the settings, and a conflict is reported', async ({ open }) => {
  const { app, page } = await open();
  await tryItNow(page);
  const isRegistered = (keys: string): Promise<boolean> =>
    app.evaluate(({ globalShortcut }, wanted) => globalShortcut.isRegistered(wanted), keys);
  await app.evaluate(({ globalShortcut }) => {
    globalShortcut.register('CommandOrControl+Alt+J', () => {});
  });
  await page.goto(`${page.url().split('#')[0]}#/settings/general`);
  const press = async (keys: string): Promise<void> => {
    await page.getByRole('button', { name: 'Set shortcut' }).click();
    await page.keyboard.press(keys);
  };
  await press('Control+Alt+j');
  await expect(page.getByText('Another program already uses this shortcut.')).toBeVisible(soon);
  await expect(page.getByText('Shortcut from any program: none')).toBeVisible();
  await press('Control+Alt+k');
  await expect(page.getByText('Shortcut from any program: Ctrl+Alt+K')).toBeVisible(soon);
  expect(await isRegistered('CommandOrControl+Alt+K')).toBe(true);
  expect((await call(page, 'desktop.view', {})).settings.askShortcut).toBe('CommandOrControl+Alt+K');
  await page.screenshot({ path: 'test-results/screens/shortcut.png' });
  await page.getByRole('button', { name: 'Remove shortcut' }).click();
  await expect.poll(() => isRegistered('CommandOrControl+Alt+K'), soon).toBe(false);
});
