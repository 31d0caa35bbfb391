/** The browser session with the built command; other servers on the same address receive nothing of it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test as base, expect } from '@playwright/test';

const command = fileURLToPath(new URL('../../dist/cli/kennel.js', import.meta.url));

interface Rig {
  /** Returns a new one-time link. */
  link(): Promise<string>;
  /** Runs `kennel` with these arguments; returns its output. */
  run(...args: string[]): Promise<string>;
}

/** Resolves when the host prints its link, which is after the demo is ready. */
function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const read = (piece: Buffer): void => {
      said += String(piece);
      if (/#link=\S+/.test(said)) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`kennel start ended with ${code}: ${said}`)));
  });
}

const test = base.extend<{ rig: Rig; stranger: { url: string; heard: string[] } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
  rig: async ({}, use) => {
    const home = mkdtempSync(join(tmpdir(), 'kennel-session-'));
    const env = { ...process.env, KENNEL_HOME: home, KENNEL_NO_KEYCHAIN: '1' };
    const child = spawn(process.execPath, [command, 'start', '--demo'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((done) => child.once('exit', done));
    await started(child);
    const run = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)(process.execPath, [command, ...args], { env })).stdout.trim();
    await use({ link: () => run('open'), run });
    child.kill('SIGTERM');
    await ended;
    rmSync(home, { recursive: true, force: true });
  },
  /** Another server at this address that records everything a browser sends. */
  // biome-ignore lint/correctness/noEmptyPattern: as above
  stranger: async ({}, use) => {
    const heard: string[] = [];
    const keep = (request: { url?: string | undefined; rawHeaders: string[] }): void =>
      void heard.push(`${request.url} ${request.rawHeaders.join(' ')}`);
    const server: Server = createServer((request, response) => {
      keep(request);
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Stranger</title>');
    });
    server.on('upgrade', (request, socket) => {
      keep(request);
      socket.destroy();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard });
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  },
});

test.setTimeout(120_000);

const signedOut = { name: 'This browser is signed out' };

test('A link opens the page once; its token leaves the address, and a reload needs no new link (T4)', async ({
  page,
  rig,
  browser,
}) => {
  const link = await rig.link();
  await page.goto(link);
  await expect(page.getByRole('navigation').first()).toBeVisible();
  expect(page.url()).not.toContain('link=');
  await page.reload();
  await expect(page.getByRole('navigation').first()).toBeVisible();
  const second = await page.context().newPage();
  await second.goto(new URL(link).origin);
  await expect(second.getByRole('navigation').first()).toBeVisible();
  const other = await browser.newContext();
  const thief = await other.newPage();
  await thief.goto(link);
  await expect(thief.getByRole('heading', signedOut)).toBeVisible();
  await other.close();
});

test('A server on another port of the same address receives no token or secret (T2)', async ({
  page,
  rig,
  stranger,
}) => {
  const link = await rig.link();
  const token = new URL(link).hash.replace('#link=', '');
  const { origin } = new URL(link);
  await page.goto(link);
  await expect(page.getByRole('navigation').first()).toBeVisible();
  const secret = await page.evaluate(() => localStorage.getItem('kennel.session') ?? '');
  expect(secret.length).toBeGreaterThan(40);
  expect(await page.context().cookies()).toEqual([]);
  for (const url of [stranger.url, stranger.url.replace('127.0.0.1', 'localhost')]) {
    await page.goto(url);
    await expect(page).toHaveTitle('Stranger');
    expect(await page.evaluate(() => [document.cookie, JSON.stringify(localStorage)])).toEqual(['', '{}']);
  }
  await page.goto(stranger.url);
  const reached = await page.evaluate(async (kennel) => {
    const socket = new WebSocket(`${kennel.replace('http', 'ws')}/ws`);
    const opened = await new Promise((done) => {
      socket.onopen = () => done('opened');
      socket.onerror = () => done('refused');
    });
    const read = await fetch(kennel, { credentials: 'include' }).then(
      (response) => response.text(),
      () => 'refused',
    );
    return [opened, read];
  }, origin);
  expect(reached).toEqual(['refused', 'refused']);
  const all = stranger.heard.join('\n');
  expect(stranger.heard.length).toBeGreaterThan(1);
  expect(all).not.toContain(secret);
  expect(all).not.toContain(token);
  expect(all.toLowerCase()).not.toContain('cookie');
  expect(all).not.toContain(origin);
});

test('Signing out ends every page of this browser; a new link opens it again (T4)', async ({ page, rig }) => {
  await page.goto(await rig.link());
  const { origin } = new URL(page.url());
  const other = await page.context().newPage();
  await other.goto(`${origin}/#/home`);
  await expect(other.getByRole('navigation').first()).toBeVisible();
  await page.goto(`${origin}/#/settings/security`);
  await page.getByRole('button', { name: 'Sign out of this browser' }).click();
  for (const one of [page, other]) await expect(one.getByRole('heading', signedOut)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', signedOut)).toBeVisible();
  // Only the fragment of the address changes: the page is not loaded again.
  await page.goto(await rig.link());
  await expect(page.getByRole('navigation').first()).toBeVisible();
  expect(page.url()).not.toContain('link=');
  await expect(other.getByRole('navigation').first()).toBeVisible();
});

test('A lock hides every page until the owner unlocks it; signing out all browsers ends them (T4)', async ({
  page,
  rig,
  browser,
}) => {
  const navigation = (one: typeof page) => one.getByRole('navigation').first();
  await page.goto(await rig.link());
  await expect(navigation(page)).toBeVisible();
  const { origin } = new URL(page.url());
  await page.goto(`${origin}/#/settings/security`);
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await other.goto(await rig.link());
  for (const one of [page, other]) await expect(navigation(one)).toBeVisible();
  const locked = { name: 'This page is locked' };

  const lockNow = page.getByRole('button', { name: 'Lock now' });
  await expect(lockNow, 'no passphrase could open it again').toBeDisabled();
  const card = page.getByRole('region', { name: 'Lock', exact: true });
  await card.getByLabel('New passphrase').fill('open sesame');
  await card.getByLabel('Repeat passphrase').fill('open sesame');
  await card.getByRole('button', { name: 'Set passphrase' }).click();
  await expect(lockNow).toBeEnabled();
  const browsers = page.getByRole('list', { name: 'Browsers' });
  await page.reload();
  await expect(browsers.getByRole('listitem')).toHaveCount(2);

  await lockNow.click();
  for (const one of [page, other]) await expect(one.getByRole('heading', locked)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', locked)).toBeVisible();
  for (const one of [page, other]) {
    expect(await one.title()).toBe('Kennel');
    expect(await one.locator('body').innerText(), 'no name is left in the document').not.toMatch(
      /Guide|general|Checker/,
    );
  }
  await other.getByLabel('Passphrase').fill('open says me');
  await other.getByRole('button', { name: 'Unlock' }).click();
  await expect(other.getByText('That is not the passphrase.')).toBeVisible();
  await other.getByLabel('Passphrase').fill('open sesame');
  await other.getByRole('button', { name: 'Unlock' }).click();
  for (const one of [page, other]) await expect(navigation(one)).toBeVisible();

  await lockNow.click();
  for (const one of [page, other]) await expect(one.getByRole('heading', locked)).toBeVisible();
  expect(await rig.run('unlock')).toBe('The page is unlocked.');
  for (const one of [page, other]) await expect(navigation(one)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Lock now' }), 'the page is where it was').toBeVisible();

  expect(await rig.run('lock')).toContain('2 browsers');
  for (const one of [page, other]) await expect(one.getByRole('heading', locked)).toBeVisible();
  await rig.run('unlock');
  await expect(navigation(other)).toBeVisible();
  await other.keyboard.press('Control+k');
  await other.getByRole('combobox').fill('lock now');
  await other.keyboard.press('Enter');
  await expect(other.getByRole('heading', locked)).toBeVisible();
  await rig.run('unlock');

  await page.getByRole('button', { name: 'Sign out of all browsers' }).click();
  for (const one of [page, other]) await expect(one.getByRole('heading', signedOut)).toBeVisible();
  await page.goto(await rig.link());
  await expect(navigation(page)).toBeVisible();
  expect(await rig.run('sign-out')).toBe('Signed out of 1 browser.');
  await expect(page.getByRole('heading', signedOut)).toBeVisible();
  await elsewhere.close();
});
