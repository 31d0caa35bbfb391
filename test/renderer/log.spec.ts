/** The log viewer: follows, pauses, searches, and handles a flood of lines. */
import { expectAccessible } from './axe.ts';
import { busyAgents } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, type Page, test } from './open-page.ts';
import { logLine, logLines } from './turn-data.ts';

const world: World = {
  agents: busyAgents(),
  fill: (host) => {
    host.turns.stored = logLines(-900, 900);
    host.turns.write(300);
  },
};
const list = (page: Page) => page.getByRole('listbox', { name: 'Lines of the log' });
const rows = (page: Page) => list(page).getByRole('option');

test('New lines appear at the end; the list does not move while scrolled up', async ({ page, open }) => {
  const { host } = await open(world, '#/work/log');
  await expect(rows(page).last()).toContainText('"number":299');
  host.turns.write(5);
  await expect(rows(page).last()).toContainText('"number":304');
  await expect(page.getByText('Live')).toBeVisible();
  await list(page).hover();
  await page.mouse.wheel(0, -900);
  await expect(page.getByText('Paused while you scroll')).toBeVisible();
  const before = await rows(page).nth(6).innerText();
  host.turns.write(12);
  await expect(page.getByRole('button', { name: '12 new lines' })).toBeVisible();
  expect(await rows(page).nth(6).innerText()).toBe(before);
  await page.getByRole('button', { name: '12 new lines' }).click();
  await expect(rows(page).last()).toContainText('"number":316');
});

test('Older lines load on scrolling up, and the scroll position is kept', async ({ page, open }) => {
  await open(world, '#/work/log');
  await expect(rows(page).last()).toContainText('"number":299');
  await list(page).hover();
  await page.mouse.wheel(0, -6_400);
  await expect(page.getByText('800 lines shown')).toBeVisible();
  await expect(rows(page).first()).not.toContainText('"number":-500,');
  await list(page).focus();
  await page.keyboard.press('Home');
  await expect(rows(page).first()).toContainText('"number":-');
});

test('Level, agent and text filter shown, new and stored lines', async ({ page, open }) => {
  const { host } = await open(world, '#/work/log');
  await page.getByLabel('Level').selectOption('error');
  await expect(rows(page).last()).toContainText('store_fault');
  expect(await rows(page).allInnerTexts()).not.toContainEqual(expect.stringContaining('info'));
  await page.getByLabel('Agent').selectOption('Guide');
  host.turns.write(1, [logLine(9_999, { level: 'error', agent: 'guide', event: 'just_now' })]);
  await expect(rows(page).last()).toContainText('just_now');
  await page.getByLabel('Find').fill('number":-15,');
  await expect(rows(page).last()).toContainText('"number":-15,');
  await page.getByLabel('Find').fill('nowhere to be found');
  await expect(page.getByText(/^No lines match\. Searched back to/)).toBeVisible();
});

test('A line is selected by arrow keys, shown in full, copied and exported; the page passes axe', async ({
  page,
  open,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(world, '#/work/log');
  await expect(rows(page).last()).toContainText('"number":299');
  await list(page).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  const whole = page.locator('.log-details');
  await expect(whole).toContainText('"number": 298');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Copy this line' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"number":298');
  await list(page).focus();
  await page.keyboard.press('Escape');
  await expect(whole).toHaveCount(0);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await saved).suggestedFilename()).toBe('kennel-log.jsonl');
});

test('A flood of lines keeps the list bounded and reports skipped lines', async ({ page, open }) => {
  const { host } = await open(world, '#/work/log');
  await expect(rows(page).last()).toContainText('"number":299');
  for (let batch = 0; batch < 20; batch += 1) host.turns.write(500);
  await expect(rows(page).last()).toContainText('"number":10299');
  expect(await rows(page).count()).toBeLessThan(60);
  host.turns.write(1, [logLine(0, { event: 'lines_skipped', level: 'warn', rest: '"count":7' })]);
  await expect(rows(page).last()).toContainText('7 lines were skipped: they came too fast.');
});

test('The log topic is unsubscribed when the page is left', async ({ page, open }) => {
  const { host } = await open(world, '#/work/log');
  await expect(rows(page).last()).toContainText('"number":299');
  expect(host.feed.listeners('logs')).toBe(1);
  await page.getByRole('radio', { name: 'Turns' }).click();
  await expect.poll(() => host.feed.listeners('logs')).toBe(0);
});
