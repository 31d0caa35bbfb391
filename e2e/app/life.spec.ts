/** Start, tray, second start, quit: the app as a process among others. */
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

interface SeenRow {
  readonly id: string;
  readonly label: string;
  readonly verbs: string[];
}

test('the tray lists the agents with the verb that fits, and pausing there pauses', async ({ open }) => {
  const { app, page } = await open();
  // Electron cannot be asked for a tray's menu, so each one is noted as it is set.
  await app.evaluate(({ Tray }) => {
    const set = Tray.prototype.setContextMenu;
    Tray.prototype.setContextMenu = function (menu) {
      Reflect.set(globalThis, 'trayMenu', menu);
      return set.call(this, menu);
    };
  });
  await tryItNow(page);
  const rows = (): Promise<SeenRow[]> =>
    app.evaluate(() => {
      const menu = Reflect.get(globalThis, 'trayMenu') as Electron.Menu | undefined;
      return (menu?.items ?? []).map((item) => ({
        id: item.id ?? '',
        label: item.label,
        verbs: item.submenu?.items.map(({ label }) => label) ?? [],
      }));
    });
  const row = async (id: string) => (await rows()).find((one) => one.id === id);
  await expect.poll(async () => (await row('agent:guide'))?.verbs).toEqual(['Pause', 'Open']);
  expect((await row('state'))?.label).toMatch(/^2 agents/);
  expect((await rows()).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['agent:checker', 'open', 'quit']),
  );

  await app.evaluate(() => {
    const menu = Reflect.get(globalThis, 'trayMenu') as Electron.Menu;
    menu.items.find(({ id }) => id === 'agent:checker')?.submenu?.items[0]?.click();
  });
  await expect.poll(async () => (await row('agent:checker'))?.label, { timeout: 10_000 }).toMatch(/paused$/);
  expect((await row('agent:checker'))?.verbs[0]).toBe('Resume');
});

test('a second start on the same folder shows the first and ends', async ({ open }) => {
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

test('a folder that a headless host holds is explained in the window', async ({ open }) => {
  const { page, home } = await open();
  await tryItNow(page);
  // Another profile folder, so that the instance lock does not answer first.
  const other = spawnSync(
    path.join(runtimeFolder(), 'electron'),
    [...sandboxArguments, `--user-data-dir=${home}-profile`, buildFolder],
    { env: appEnvironment(home), encoding: 'utf8', timeout: 6000 },
  );
  expect(other.stderr).toMatch(/did not start: .*\d+/);
});

test('quitting stops the host in time and leaves no process', async ({ open }) => {
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
