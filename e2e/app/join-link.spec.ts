/** Invite links that another program opens in Kennel: they open a question and do nothing by themselves. */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { appEnvironment, runtimeFolder, sandboxArguments } from '../desktop.ts';
import { soon } from './on-desktop.ts';
import { buildFolder, expect, test, tryItNow } from './open-app.ts';

const code = `lnk-${'a'.repeat(32)}`;
const linkTo = (server: string): string => `kennel://join?server=${encodeURIComponent(server)}#${code}`;

/** A server that only counts requests. */
async function countingServer() {
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests: () => count, close: () => server.close() };
}

/** Starts the app again with the link, as a browser does; the running app receives it. */
function openFromOutside(home: string, link: string): void {
  const run = spawnSync(
    path.join(runtimeFolder(), 'electron'),
    [...sandboxArguments, buildFolder, '--', link],
    { env: appEnvironment(home), encoding: 'utf8', timeout: 20_000 },
  );
  expect(run.stderr).toContain('already running');
}

test('T21: A link from another program opens a question; no request and no key press of its own follows', async ({
  open,
}) => {
  const server = await countingServer();
  const { page, home } = await open();
  await tryItNow(page);
  const before = new URL(page.url()).hash;
  openFromOutside(home, 'kennel://app/#/settings/security');
  openFromOutside(home, linkTo('javascript:alert(1)'));
  const dialog = page.getByRole('dialog', { name: 'Join a space by link' });
  openFromOutside(home, linkTo(server.url));
  await expect(dialog.getByText('Another program opened an invite link')).toBeVisible(soon);
  await expect(dialog.getByText(`leads to the server ${server.url}`)).toBeVisible();
  expect(new URL(page.url()).hash).toBe(before);
  await page.screenshot({ path: 'test-results/screens/join-link.png' });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  // The demo has its own server, so even the answer to the question sends nothing to another one.
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible(soon);
  expect(server.requests()).toBe(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  server.close();
});

test('A link that starts the app leads to the form of the first run', async ({ open }) => {
  const { page } = await open(undefined, { args: ['--', linkTo('https://chat.example.org')] });
  await expect(page.getByRole('heading', { name: 'Connect your Puffo space' })).toBeVisible(soon);
});
