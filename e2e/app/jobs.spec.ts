/**
 * Work outside the chat on a real desktop: a workflow through tray and crash, a task, and a schedule while
 * the window is hidden.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { dunstctl, hideUnheard, lonely, newNotices, soon, standing, visible } from './on-desktop.ts';
import { call, expect, killApp, test, tryItNow } from './open-app.ts';
import { type WatchedTray, watchTray } from './watch-tray.ts';

const workflow = `name: Letter
steps:
  - id: draft
    run: echo drafted >> done.txt && echo "Dear Ann"
  - id: ask
    approval: {prompt: Send the letter?, preview: $draft.stdout}
  - id: send
    run: echo sent >> done.txt
  - id: file
    approval: {prompt: File the letter?}
  - id: keep
    run: echo kept >> done.txt
`;

const folderOf = (home: string): string => path.join(home, 'workflows');

/** Effects of the steps, in order. */
const effects = (home: string): string[] => {
  const file = path.join(folderOf(home), 'done.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

async function approveFromTray(app: ElectronApplication, tray: WatchedTray, asked: string): Promise<void> {
  await expect.poll(async () => (await tray.row('waiting'))?.label, soon).toBe('1 waiting for you');
  const small = await lonely(app, () => tray.click('waiting'));
  await expect(small.getByRole('article', { name: asked })).toBeVisible(soon);
  // An approval ignores answers for its first half second.
  await expect(small.locator('[data-deaf]')).toHaveCount(0, soon);
  await small.getByRole('button', { name: 'Approve', exact: true }).click();
}

const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

const onlyRun = async (page: Page) => (await call(page, 'runs.list', {})).runs[0];

test('A workflow started in the window survives a kill at its approval and runs each step once', async ({
  open,
}) => {
  const first = await open();
  const { page, home } = first;
  await tryItNow(page);
  mkdirSync(folderOf(home), { recursive: true });
  writeFileSync(path.join(folderOf(home), 'letter.puppy'), workflow);
  const tray = await watchTray(first.app);
  await goTo(page, '#/work/workflows');
  await page.getByRole('button', { name: 'Run Letter' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Letter' })).toBeFocused(soon);
  await expect.poll(() => effects(home), soon).toEqual(['drafted']);
  await hideUnheard(first.app);
  await approveFromTray(first.app, tray, 'Letter asks: Send the letter?');
  await expect.poll(() => effects(home), soon).toEqual(['drafted', 'sent']);
  await expect.poll(async () => (await onlyRun(page))?.status, soon).toBe('waiting');
  await killApp(first);

  const second = await open(home);
  await expect(second.page.getByRole('heading', { level: 1 }).first()).toBeVisible(soon);
  const trayAgain = await watchTray(second.app);
  await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  // The tray records a menu only when it is set, so a change has to trigger an update.
  await call(second.page, 'agents.pause', { agent: 'checker' });
  await approveFromTray(second.app, trayAgain, 'Letter asks: File the letter?');
  await expect.poll(async () => (await onlyRun(second.page))?.status, soon).toBe('ok');
  expect(effects(home)).toEqual(['drafted', 'sent', 'kept']);
  const { id = '' } = (await onlyRun(second.page)) ?? {};
  const { gates } = await call(second.page, 'runs.get', { run: id });
  expect(gates.map(({ decision }) => decision)).toEqual(['approve', 'approve']);
  expect((await call(second.page, 'runs.log', { run: id })).verified).toBe(true);
});

test('A task added in the window notifies when it ends unseen, and the click opens the task', async ({
  open,
}) => {
  const { app, page } = await open();
  await tryItNow(page);
  await call(page, 'agents.pause', { agent: 'guide' });
  await goTo(page, '#/work');
  const goal = page.getByLabel('What needs doing?');
  await goal.fill('@Guide echo the plants have water');
  await goal.press('Enter');
  await expect(page.locator('.task-card')).toContainText('the plants have water');
  await goTo(page, '#/home');
  await hideUnheard(app);
  await call(page, 'agents.resume', { agent: 'guide' });
  await expect.poll(standing, soon).toBe('1');
  dunstctl('action', '0');
  await expect.poll(() => visible(app), soon).toBe(true);
  await expect(page).toHaveURL(/#\/work\/task%3A1$/);
  await expect(page.getByRole('heading', { level: 1, name: /the plants have water/ })).toBeVisible(soon);
  const [notice, ...others] = newNotices();
  expect(others).toEqual([]);
  expect(notice?.summary).toBe('Guide finished a task');
  expect(notice?.body).not.toContain('plants');
});

test('A schedule due while the window is hidden starts once; its end and a failed workflow notify', async ({
  open,
}) => {
  const { app, page } = await open();
  await tryItNow(page);
  await hideUnheard(app);
  await call(page, 'schedules.add', {
    name: 'Soon',
    when: { kind: 'once', at: Date.now() + 1_500 },
    starts: {
      kind: 'task',
      goal: 'echo it was time',
      agent: 'guide',
      project: null,
      priority: 0,
      budget: { steps: null, tokens: null, usd: null },
      room: null,
    },
  });
  await expect.poll(standing, soon).toBe('1');
  expect(newNotices().map(({ summary }) => summary)).toEqual(['Guide finished a task']);
  const { tasks } = await call(page, 'tasks.list', {});
  expect(tasks).toMatchObject([{ status: 'done', via: 'schedule', result: 'it was time' }]);
  await call(page, 'runs.start', { text: 'name: Nightly\nsteps: [{id: one, run: exit 3}]\n' });
  await expect.poll(standing, soon).toBe('1');
  expect(newNotices().map(({ summary }) => summary)).toEqual(['Workflow Nightly failed']);
  const [schedule] = (await call(page, 'schedules.list', {})).schedules;
  expect(schedule).toMatchObject({ next: null, missedCount: 0, problem: '' });
});
