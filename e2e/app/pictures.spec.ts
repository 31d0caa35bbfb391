/** The pictures of README and user guide, taken from the real app; see the configuration for when. */
import path from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../desktop.ts';
import { call, expect, slugOf, test, tryItNow } from './open-app.ts';

const soon = { timeout: 20_000 };
const folder = path.join(root, 'docs/images');

/** The folder of a test run says nothing to a reader. */
const asAtHome = (page: Page, home: string): Promise<void> =>
  page.evaluate((place) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      if (node.nodeValue?.includes(place))
        node.nodeValue = node.nodeValue.replaceAll(place, '/home/ada/.kennel');
  }, home);

/** Light and dark, once what moves has come to rest. */
async function picture(page: Page, home: string, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await asAtHome(page, home);
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`), animations: 'disabled' });
  }
}

test('the pictures of the guide show the app as it is', async ({ open }) => {
  const { app, page, home } = await open();
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 60, y: 40, width: 1280, height: 800 }),
  );
  await tryItNow(page);
  const composer = page.getByLabel('Message #general');
  await composer.fill(`@${await slugOf(page, 'guide')} hello! Who are you?`);
  await composer.press('Enter');
  await expect(page.getByLabel(/^Message from Guide/).filter({ hasText: 'Welcome, You!' })).toBeVisible(soon);
  await expect(page.getByLabel('Working here')).toHaveCount(0, soon);
  await picture(page, home, 'chat');

  await page.getByText('What the server sees').first().click();
  await expect(page.locator('.sealed').first()).toBeVisible(soon);
  await picture(page, home, 'server');
  await page.getByText('What you see').first().click();

  await page.evaluate(() => {
    location.hash = '#/agents/guide';
  });
  await expect(page.getByRole('heading', { name: 'Guide' })).toBeVisible(soon);
  await picture(page, home, 'agent');

  const to = `dm:${await slugOf(page, 'guide')}`;
  await page.evaluate((room) => {
    location.hash = `#/chat/${encodeURIComponent(room)}`;
  }, to);
  await call(page, 'chat.send', { to, text: 'write hello.md' });
  const card = page.getByRole('article', { name: 'Guide wants to write hello.md' });
  await expect(card).toBeVisible(soon);
  await expect(card.getByRole('button', { name: 'Allow once' })).toBeVisible();
  await picture(page, home, 'ask');
});
