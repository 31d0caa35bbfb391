/** First run in the real app: demo, chat, server view, return. */
import { seed } from '../../test/fakes/test-run.ts';
import { soon } from './on-desktop.ts';
import { expect, slugOf, test, tryItNow } from './open-app.ts';

test('The first run leads to an encrypted answer that the server cannot read', async ({ open }) => {
  const { page, errors } = await open();
  await expect(page.getByText('Welcome to Kennel')).toBeVisible();
  await tryItNow(page);

  const secret = `a word nobody else may read ${seed}`;
  const composer = page.getByLabel('Message #general');
  await composer.fill(`@${await slugOf(page, 'guide')} echo ${secret}`);
  await composer.press('Enter');
  const answer = page.getByLabel(/^Message from Guide/).filter({ hasText: secret });
  await expect(answer.first()).toBeVisible({ timeout: 20_000 });
  await page.screenshot({ path: 'test-results/screens/chat-light.png' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: 'test-results/screens/chat-dark.png' });

  await page
    .getByText(/end-to-end encrypted/i)
    .first()
    .click();
  // The stored message beside its decrypted text. `innerText` is empty until a row is painted.
  const pair = page.getByRole('article').filter({ hasText: secret }).first();
  await expect(pair).toBeVisible();
  const stored = pair.locator('.sealed');
  await expect(stored).toContainText(/msg_[0-9a-f-]{36}/, soon);
  await expect(stored).not.toContainText(secret);
  await page.screenshot({ path: 'test-results/screens/server-view.png' });
  expect(errors).toEqual([]);
});

test('A closed window stays in the tray and reopens with its content', async ({ open }) => {
  const { app, page } = await open();
  await tryItNow(page);
  const hidden = await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.close();
    return window?.isVisible();
  });
  expect(hidden).toBe(false);
  await app.evaluate(({ app: electronApp }) => void electronApp.emit('activate'));
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
    .toBe(true);
  await expect(page.getByLabel(/^Message from Guide/).first()).toBeVisible();
});

test('A reloaded page subscribes to its feeds again', async ({ open }) => {
  const { page } = await open();
  await tryItNow(page);
  await page.reload();
  await expect(page.getByText(/Guide/).first()).toBeVisible();
});
