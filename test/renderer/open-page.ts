/** Test fixtures: a fake host, a page on it, and checks that run in every test. */
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { FakeHost, fakeSession, type World } from './fake-host.ts';

interface Opened {
  readonly host: FakeHost;
  readonly url: string;
}

export const test = base.extend<{ open: (world?: World, hash?: string) => Promise<Opened> }>({
  open: async ({ page }, use) => {
    const hosts: FakeHost[] = [];
    const complaints: string[] = [];
    page.on('console', (line) => {
      if (line.type() === 'error' && !/WebSocket|ERR_CONNECTION/.test(line.text()))
        complaints.push(line.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.addInitScript((secret) => localStorage.setItem('kennel.session', secret), fakeSession);
    await use(async (world = {}, hash = '') => {
      const host = new FakeHost(world);
      hosts.push(host);
      const url = await host.listen();
      await page.goto(`${url}${hash}`);
      return { host, url };
    });
    for (const host of hosts) await host.stop();
    expect(complaints, 'errors in the console, refusals of the page policy among them').toEqual([]);
  },
});

export { expect, type Page };

/** `LOOKS=all` takes every picture, `LOOKS=inbox,chat` those whose names start with these prefixes. */
const looks = process.env.LOOKS?.split(',') ?? [];

/** Takes a picture below `test-results/looks`, if `LOOKS` selects it. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!looks.some((start) => start === 'all' || name.startsWith(start))) return;
  await page.screenshot({ path: `test-results/looks/${name}.png` });
}

/** Waits until a new approval on the page accepts an answer. */
export async function settle(page: Page): Promise<void> {
  await page.locator('.ask-foot, .gate-foot').first().waitFor();
  await expect(page.locator('[data-deaf]')).toHaveCount(0);
}

/** Waits two frames, so that effects of a change before the next paint are done. */
export const nextPaint = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Top position of an element, after ten frames without movement. */
export const restingPlace = (element: Locator): Promise<number> =>
  element.evaluate(
    (node) =>
      new Promise<number>((done) => {
        let [place, frames] = [Number.NaN, 0];
        const look = (): void => {
          const { y } = node.getBoundingClientRect();
          frames = y === place ? frames + 1 : 0;
          place = y;
          if (frames < 10) requestAnimationFrame(look);
          else done(place);
        };
        look();
      }),
  );
