/** Desktop integration: tray, notifications, hiding and reopening the window, start at login, quitting. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { installed } from '../../test/fakes/programs.ts';
import { isAlive, processTree, waitFor } from '../desktop.ts';
import { dunstctl, hide, hideUnheard, lonely, newNotices, soon, visible } from './on-desktop.ts';
import { call, expect, press, slugOf, test, tryItNow } from './open-app.ts';
import { watchTray } from './watch-tray.ts';

const written = (home: string, name: string): string => {
  const file = path.join(home, 'agents', 'guide', 'workspace', name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** Sends as the operator, but not through the window's interface. */
const ask = async (page: Page, text: string): Promise<void> => {
  await call(page, 'chat.send', { to: `dm:${await slugOf(page, 'guide')}`, text });
};

const smallWindow = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => {
    const all = BrowserWindow.getAllWindows();
    const window = all.find((one) => one.webContents.getURL().includes('#/approval/'));
    return {
      count: all.length,
      visible: window?.isVisible(),
      onTop: window?.isAlwaysOnTop(),
      focused: window?.isFocused(),
    };
  });

const allowOnce = async (small: Page): Promise<void> => {
  await expect(small.locator('[data-deaf]')).toHaveCount(0, soon);
  await small.getByRole('button', { name: 'Allow once' }).click();
};

test('One approval request opens from the tray in a small window, where it can be answered', async ({
  open,
}) => {
  const { app, page, home } = await open();
  const tray = await watchTray(app);
  await tryItNow(page);
  await hide(app);
  await ask(page, 'write hello.md');
  await expect.poll(async () => (await tray.row('waiting'))?.label, soon).toBe('1 waiting for you');
  expect((await tray.row('agent:guide'))?.verbs[0]).toBe('Answer…');
  expect(written(home, 'hello.md')).toBe('');
  const small = await lonely(app, () => tray.click('waiting'));
  const card = small.getByRole('article', { name: 'Guide wants to write hello.md' });
  await expect(card).toBeVisible(soon);
  // Continued typing while the window opens must not answer.
  await small.keyboard.press('Enter');
  await expect.poll(() => smallWindow(app), soon).toMatchObject({ visible: true, onTop: true });
  expect(await smallWindow(app)).toMatchObject({ count: 2, focused: false });
  expect(await visible(app)).toBe(false);
  await small.screenshot({ path: 'test-results/screens/question.png' });
  await expect(card).toBeVisible();
  await allowOnce(small);
  await expect.poll(() => written(home, 'hello.md'), soon).toContain('# hello');
  await expect.poll(() => smallWindow(app), soon).toMatchObject({ count: 1 });
  await expect.poll(async () => (await tray.row('waiting')) === undefined, soon).toBe(true);
});

test('Several approval requests open from the tray in the inbox', async ({ open }) => {
  const { app, page } = await open();
  const tray = await watchTray(app);
  await tryItNow(page);
  const guide = await slugOf(page, 'guide');
  const { rooms } = await call(page, 'chat.rooms', {});
  const general = Object.values(rooms).find(({ kind }) => kind === 'channel')?.id ?? '';
  await hide(app);
  await ask(page, 'write one.md');
  await call(page, 'chat.send', { to: general, text: `@${guide} write two.md` });
  await expect.poll(async () => (await tray.row('waiting'))?.label, soon).toBe('2 waiting for you');
  await tray.click('waiting');
  await expect.poll(() => visible(app), soon).toBe(true);
  await expect.poll(() => new URL(page.url()).hash, soon).toBe('#/inbox');
  await expect(page.getByRole('tab', { name: 'Waiting (2)' })).toBeVisible(soon);
});

test('A notification appears while the window is hidden, hides the content, and opens the request on click', async ({
  open,
}) => {
  const { app, page, home } = await open();
  await tryItNow(page);
  await hideUnheard(app);
  await ask(page, 'write quiet.md');
  await expect.poll(() => dunstctl('count', 'displayed'), soon).toBe('1');
  const small = await lonely(app, async () => void dunstctl('action', '0'));
  await expect(small.getByRole('article', { name: 'Guide wants to write quiet.md' })).toBeVisible(soon);
  const notices = newNotices();
  expect(notices.map(({ summary }) => summary)).toEqual(['Guide needs your answer']);
  expect(JSON.stringify(notices)).not.toContain('quiet.md');
  // The window also closes if the approval is answered elsewhere.
  const [waiting] = (await call(page, 'approvals.list', {})).approvals;
  const { id = '', digest = '' } = waiting ?? {};
  await call(page, 'approvals.decide', {
    id,
    digest,
    answer: { type: 'deny', reason: '' },
    surface: 'window',
  });
  await expect.poll(() => smallWindow(app), soon).toMatchObject({ count: 1 });
  expect(written(home, 'quiet.md')).toBe('');
});

test('Notifications can be disabled by kind and can be allowed to show text', async ({ open }) => {
  const { app, page } = await open();
  await tryItNow(page);
  await call(page, 'desktop.set', { notify: { approvals: false }, notifyText: true });
  await hideUnheard(app);
  await ask(page, 'echo said aloud');
  await expect.poll(() => dunstctl('count', 'displayed'), soon).toBe('1');
  const notices = newNotices();
  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatchObject({ summary: 'Guide answered you' });
  expect(notices[0]?.body).toContain('said aloud');
  await ask(page, 'write silent.md');
  await expect.poll(async () => (await call(page, 'host.view', {})).waiting, soon).toBe(1);
  // Longer than a notification would need to appear.
  await page.waitForTimeout(2000);
  expect(newNotices().filter(({ summary }) => summary.includes('needs your answer'))).toEqual([]);
});

test('A discarded window reopens with its page, size, position and unsent draft', async ({ open }) => {
  const { app, page } = await open(undefined, { env: { KENNEL_WINDOW_GRACE_MS: '700' } });
  await tryItNow(page);
  const composer = page.getByLabel('Message #general');
  await composer.fill('half a thought');
  const hash = new URL(page.url()).hash;
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 120, y: 90, width: 1000, height: 700 });
  });
  await hide(app);
  await expect.poll(() => app.windows().length, soon).toBe(0);
  const opened = app.waitForEvent('window');
  await app.evaluate(({ app: electronApp }) => void electronApp.emit('activate'));
  const again = await opened;
  await expect(again.getByLabel('Message #general')).toHaveValue('half a thought', soon);
  expect(new URL(again.url()).hash).toBe(hash);
  const size = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize());
  expect(size).toEqual([1000, 700]);
  await expect(again.getByLabel(/^Message from Guide/).first()).toBeVisible(soon);
});

test('Start at login creates and removes an autostart file', async ({ open }) => {
  const { page, home } = await open();
  const folder = path.join(process.env.XDG_CONFIG_HOME ?? '', 'autostart');
  const mine = (): string[] =>
    (existsSync(folder) ? readdirSync(folder) : []).filter((name) =>
      readFileSync(path.join(folder, name), 'utf8').includes(`KENNEL_HOME=${home}`),
    );
  expect((await call(page, 'desktop.view', {})).settings.startAtLogin).toBe(false);
  expect((await call(page, 'desktop.set', { startAtLogin: true })).startAtLogin).toBe(true);
  expect(mine()).toHaveLength(1);
  expect(readFileSync(path.join(folder, mine()[0] ?? ''), 'utf8')).toMatch(/^Exec=env .*"--hidden"$/m);
  await call(page, 'desktop.set', { startAtLogin: false });
  expect(mine()).toEqual([]);
});

test('Quitting waits visibly for a running turn, can be cancelled, and can be forced', async ({ open }) => {
  const { app, child, page } = await open();
  const tray = await watchTray(app);
  await tryItNow(page);
  await ask(page, 'slow');
  await expect.poll(async () => (await tray.row('state'))?.label, soon).toMatch(/1 working/);
  const quit = async (): Promise<Page> => {
    const opened = app.waitForEvent('window');
    await tray.click('quit');
    return opened;
  };
  const first = await quit();
  await expect(first.getByRole('heading', { name: 'Kennel is about to quit' })).toBeVisible();
  await expect(first.getByRole('timer')).toBeVisible();
  await first.screenshot({ path: 'test-results/screens/quit.png' });
  await press(first, 'Keep running');
  await expect.poll(() => app.windows().length).toBe(1);
  expect((await call(page, 'host.view', {})).state).toBe('ready');

  const second = await quit();
  const tree = processTree(child.pid ?? 0);
  await press(second, 'Quit now');
  await waitFor('all processes end', () => !tree.some(isAlive), 12_000);
  await expect.poll(() => child.exitCode).toBe(0);
});

test('Without a tray, the menu bar pauses agents and opens the inbox, and closing the window quits', async ({
  open,
}) => {
  const { app, child, page } = await open(undefined, { args: ['--no-tray', '--hidden'] });
  // With --hidden but without a tray, the window is shown anyway.
  await tryItNow(page);
  expect(await call(page, 'desktop.view', {})).toMatchObject({
    tray: false,
    host: { by: 'app', state: 'up' },
  });
  const click = (label: string): Promise<void> =>
    app.evaluate(({ Menu }, wanted) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
      items.find((one) => one.label === wanted)?.click();
    }, label);
  await click('Pause All');
  const lives = async () => (await call(page, 'agents.list', {})).agents.map(({ life }) => life);
  await expect.poll(lives, soon).toEqual(['paused', 'paused']);
  await click('Questions for You');
  await expect.poll(() => new URL(page.url()).hash).toBe('#/inbox');
  const tree = processTree(child.pid ?? 0);
  await hide(app).catch(() => {});
  await waitFor('all processes end', () => !tree.some(isAlive), 12_000);
});

test('An API key is protected by the desktop keychain and stored nowhere in clear text', async ({ open }) => {
  const { page, home } = await open();
  await call(page, 'config.set', { provider: 'anthropic', apiKey: 'sk-ant-e2e-secret' });
  expect((await call(page, 'host.view', {})).vault.kind).toBe('keychain');
  const found = spawnSync(installed('secret-tool'), ['search', '--all', 'service', 'Kennel'], {
    encoding: 'utf8',
  });
  expect(`${found.stdout}${found.stderr}`).toContain('attribute.service = Kennel');
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => path.join(home, name));
  const clear = spawnSync('grep', ['-l', 'sk-ant-e2e-secret', ...files], { encoding: 'utf8' });
  expect(clear.stdout).toBe('');
});
