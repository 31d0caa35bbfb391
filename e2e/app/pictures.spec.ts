/** Screenshots for README and user guide from the real app; the configuration says when they are taken. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import type { MethodInput } from '../../src/contract/methods.ts';
import { root } from '../desktop.ts';
import { soon } from './on-desktop.ts';
import { buildFolder, call, expect, slugOf, test, tryItNow } from './open-app.ts';

const folder = path.join(root, 'docs/images');

/** Replaces the folders of the test and of its build with those of an installed Kennel. */
const asAtHome = (page: Page, home: string): Promise<void> =>
  page.evaluate(
    (places) => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode())
        for (const [place, shown] of places)
          if (node.nodeValue?.includes(place)) node.nodeValue = node.nodeValue.replaceAll(place, shown);
    },
    [
      [home, '/home/ada/.kennel'],
      [buildFolder, '/opt/Kennel'],
    ] as const,
  );

/** Takes a light and a dark screenshot without animations. */
async function picture(page: Page, home: string, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await asAtHome(page, home);
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`), animations: 'disabled' });
  }
}

test('The screenshots of the guide show the current app', async ({ open }) => {
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

const addTask = (page: Page, task: MethodInput<'tasks.add'>) => call(page, 'tasks.add', task);

/** Creates tasks in most columns of the board. */
async function fillBoard(page: Page): Promise<void> {
  const hour = 3_600_000;
  await addTask(page, { goal: 'echo Nine links work, one does not', agent: 'checker', project: 'website' });
  await addTask(page, { goal: 'Find three names for the new café', agent: 'guide' });
  await expect
    .poll(async () => (await call(page, 'tasks.list', { status: 'done' })).tasks.length, soon)
    .toBe(2);
  await addTask(page, { goal: 'write opening-hours.md', agent: 'guide', project: 'website' });
  await expect.poll(async () => (await call(page, 'host.view', {})).waiting, soon).toBe(1);
  const later = { dueAt: Date.now() + 5 * hour, project: 'office' };
  await addTask(page, { goal: 'Sum up what was said in #general today', agent: 'guide', ...later });
  await addTask(page, {
    goal: 'Look through the bills of this month',
    agent: 'checker',
    ...later,
    priority: 10,
  });
  const { task } = await addTask(page, { goal: 'Tidy the notes', dueAt: Date.now() + hour });
  await call(page, 'tasks.pause', { task: task.id });
}

const lookAt = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Runs the example workflow "deploy" up to its gate. */
async function deploy(page: Page, home: string): Promise<string> {
  const { files } = await call(page, 'workflows.list', {});
  const file = files.find(({ name }) => name === 'deploy')?.path ?? '';
  const place = path.join(home, 'workflows/shop');
  mkdirSync(path.join(place, 'build'), { recursive: true });
  writeFileSync(path.join(place, 'build/index.html'), '<h1>Shop</h1>\n');
  const args = { build: 'shop/build', site: 'shop/site', release: '2026-11' };
  const { id } = await call(page, 'runs.start', { file, args });
  await expect.poll(async () => (await call(page, 'runs.get', { run: id })).run.status, soon).toBe('waiting');
  return id;
}

test('The screenshots of tasks and of a run show the current app', async ({ open }) => {
  const { app, page, home } = await open();
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 60, y: 40, width: 1280, height: 800 }),
  );
  await tryItNow(page);
  await fillBoard(page);
  await lookAt(page, '#/work');
  await expect(page.locator('.task-card')).toHaveCount(6, soon);
  await picture(page, home, 'tasks');

  const run = await deploy(page, home);
  await lookAt(page, `#/work/${encodeURIComponent(`run:${run}`)}`);
  await expect(page.getByRole('heading', { level: 1, name: 'deploy' })).toBeVisible(soon);
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible(soon);
  // Scrolls so that the gate and the steps below it fit one screenshot.
  await page
    .getByRole('article', { name: /Keep it/ })
    .evaluate((question) => question.scrollIntoView({ block: 'start' }));
  await picture(page, home, 'run');
});
