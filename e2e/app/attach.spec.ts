/** If a headless host already holds the folder, the app connects to it and leaves it running on quit. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { appEnvironment, freshFolder, waitFor } from '../desktop.ts';
import { buildFolder, call, expect, test } from './open-app.ts';
import { watchTray } from './watch-tray.ts';

const soon = { timeout: 20_000 };
const hosts: ChildProcess[] = [];

async function startHeadless(home: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [path.join(buildFolder, 'cli/kennel.js'), 'start'], {
    env: appEnvironment(home, { KENNEL_NO_KEYCHAIN: '1' }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  hosts.push(child);
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await waitFor('the headless host runs', () => /Kennel is running/.test(said), 30_000);
  return child;
}

async function stopHeadless(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await waitFor('the headless host ends', () => child.exitCode !== null, 15_000);
}

test.afterEach(() => {
  for (const child of hosts.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

test('The app attaches to a running host, survives its restart, and leaves it running on quit', async ({
  open,
}) => {
  const home = freshFolder('home');
  const first = await startHeadless(home);
  const { app, page, child } = await open(home);
  const tray = await watchTray(app);
  const view = async () => (await call(page, 'desktop.view', {})).host;
  await expect.poll(view, soon).toEqual({ by: 'other', state: 'up', pid: first.pid });
  await expect(page.getByText('Guide').first()).toBeVisible(soon);
  const terminalOnly = await call(page, 'backup.make' as 'host.view', { path: '/nowhere' } as never).catch(
    String,
  );
  expect(terminalOnly).toContain('may not call');

  await stopHeadless(first);
  await expect.poll(async () => (await view()).state, soon).toBe('lost');
  await expect.poll(async () => (await tray.row('host-here'))?.label, soon).toBeDefined();
  const second = await startHeadless(home);
  await expect.poll(view, soon).toEqual({ by: 'other', state: 'up', pid: second.pid });
  await expect
    .poll(async () => (await tray.row('hosted'))?.label, soon)
    .toBe(`Hosted by process ${second.pid}`);
  // The feed works again for both the tray and the page.
  await expect.poll(async () => (await tray.row('agent:checker'))?.verbs, soon).toContain('Pause');
  await tray.click('agent:checker', 'Pause');
  await expect.poll(async () => (await tray.row('agent:checker'))?.label, soon).toMatch(/paused$/);

  child.kill('SIGTERM');
  await waitFor('the app ends', () => child.exitCode !== null, 12_000);
  expect(second.exitCode).toBeNull();
  await stopHeadless(second);
});

test('The app starts its own host on request after the attached host has stopped', async ({ open }) => {
  const home = freshFolder('home');
  const headless = await startHeadless(home);
  const { app, page } = await open(home, { env: { KENNEL_NO_KEYCHAIN: '1' } });
  const tray = await watchTray(app);
  const view = async () => (await call(page, 'desktop.view', {})).host;
  await expect.poll(async () => (await view()).by, soon).toBe('other');
  const refused = await call(page, 'desktop.hostHere', {}).catch(String);
  expect(refused).toContain('is running');
  await stopHeadless(headless);
  await expect.poll(async () => (await tray.row('host-here'))?.label, soon).toBeDefined();
  const here = page.getByRole('button', { name: 'Start your agents here' });
  await expect(here).toBeVisible(soon);
  await here.click();
  await expect.poll(() => view().catch(() => null), soon).toMatchObject({ by: 'app', state: 'up' });
  await expect.poll(async () => (await call(page, 'agents.list', {})).agents.length, soon).toBe(2);
});
