/// <reference path="../../src/services/crypto/sodium-native.d.ts" />
/// <reference path="../../src/services/db/sqlite-binding.d.ts" />
/** The session of a browser with a real host, and what other servers on the same address get of it: nothing. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { test as base, expect } from '@playwright/test';
import { newHome, startHost, type TestHost } from '../host/host-rig.ts';

const rendererDir = fileURLToPath(new URL('../../dist/renderer', import.meta.url));

interface Rig {
  readonly kennel: TestHost;
  /** A new one-time link. */
  link(): Promise<string>;
}

const test = base.extend<{ rig: Rig; stranger: { url: string; heard: string[] } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
  rig: async ({}, use) => {
    const folder = newHome();
    const kennel = await startHost(folder.home, { rendererDir });
    await use({ kennel, link: async () => (await kennel.call('host.webLink', {})).url });
    await kennel.stop();
    folder.remove();
  },
  /** Another server of this address: it keeps everything that a browser sends to it. */
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

const welcome = { name: 'Welcome to Kennel' };
const signedOut = { name: 'This browser is signed out' };

test('a link opens the page once; the token leaves the address, and a reload needs no new link (T4)', async ({
  page,
  rig,
  browser,
}) => {
  const link = await rig.link();
  await page.goto(link);
  await expect(page.getByRole('heading', welcome)).toBeVisible();
  expect(page.url()).not.toContain('link=');
  await page.reload();
  await expect(page.getByRole('heading', welcome)).toBeVisible();
  const second = await page.context().newPage();
  await second.goto(new URL(link).origin);
  await expect(second.getByRole('heading', welcome)).toBeVisible();
  const other = await browser.newContext();
  const thief = await other.newPage();
  await thief.goto(link);
  await expect(thief.getByRole('heading', signedOut)).toBeVisible();
  await other.close();
});

test('a server on another port of the same address gets nothing that opens the page (T2)', async ({
  page,
  rig,
  stranger,
}) => {
  const link = await rig.link();
  const token = new URL(link).hash.replace('#link=', '');
  const { origin } = new URL(link);
  await page.goto(link);
  await expect(page.getByRole('heading', welcome)).toBeVisible();
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

test('signing out in the settings ends every page of this browser; a new link opens it again (T4)', async ({
  page,
  rig,
}) => {
  // A demo is set up first.
  test.setTimeout(120_000);
  await rig.kennel.call('setup.tryDemo', {});
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
