/** Process life cycle: start, tray, second start, quit. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import {
  appEnvironment,
  isAlive,
  processTree,
  runtimeFolder,
  sandboxArguments,
  waitFor,
} from '../desktop.ts';
import { buildFolder, expect, test, tryItNow } from './open-app.ts';
import { watchTray } from './watch-tray.ts';

const soon = { timeout: 15_000 };

test('The tray lists each agent with the fitting action, and Pause there pauses the agent', async ({
  open,
}) => {
  const { app, page } = await open();
  const tray = await watchTray(app);
  await tryItNow(page);
  await expect.poll(async () => (await tray.row('agent:checker'))?.verbs, soon).toEqual(['Pause', 'Open']);
  await expect.poll(async () => (await tray.row('state'))?.label, soon).toMatch(/^2 agents/);
  const ids = async (): Promise<string[]> => (await tray.rows()).map(({ id }) => id);
  const wanted = ['agent:guide', 'pause-all', 'new-agent', 'open', 'quit'];
  await expect.poll(ids, soon).toEqual(expect.arrayContaining(wanted));

  await tray.click('agent:checker', 'Pause');
  await expect.poll(async () => (await tray.row('agent:checker'))?.label, soon).toMatch(/paused$/);
  expect((await tray.row('agent:checker'))?.verbs[0]).toBe('Resume');
  await tray.click('pause-all');
  await expect.poll(async () => (await tray.row('agent:guide'))?.label, soon).toMatch(/paused$/);
  await expect.poll(async () => (await tray.row('pause-all')) === undefined, soon).toBe(true);
  await tray.click('resume-all');
  await expect.poll(async () => (await tray.row('agent:guide'))?.verbs[0], soon).toBe('Pause');
  await tray.click('new-agent');
  await expect(page.getByRole('dialog', { name: /agent/i })).toBeVisible(soon);
});

test('A second start on the same folder shows the first window and exits', async ({ open }) => {
  const { app, home } = await open();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const second = spawnSync(path.join(runtimeFolder(), 'electron'), [...sandboxArguments, buildFolder], {
    env: appEnvironment(home),
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(second.status).toBe(0);
  expect(second.stderr).toContain('already running');
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
    .toBe(true);
});

test('Quitting stops the host within its deadline and leaves no process behind', async ({ open }) => {
  const { app, child, page } = await open();
  await tryItNow(page);
  const tree = processTree(child.pid ?? 0);
  expect(tree.length).toBeGreaterThan(2);
  const started = Date.now();
  await app.evaluate(({ app: electronApp }) => setTimeout(() => electronApp.quit(), 10));
  await waitFor('all processes end', () => !tree.some(isAlive), 12_000);
  expect(Date.now() - started).toBeLessThan(11_000);
  await waitFor('the exit code', () => child.exitCode !== null, 2000);
  expect(child.exitCode).toBe(0);
});
