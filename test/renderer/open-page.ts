/** The pieces every test needs: a fake host, a page on it, and an eye on what must never happen. */
import { test as base, expect, type Page } from '@playwright/test';
import { FakeHost, type World } from './fake-host.ts';

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

/** Past the half second in which a question that is new on the page answers nothing. */
export async function settle(page: Page): Promise<void> {
  await page.locator('.ask-foot').first().waitFor();
  await page.waitForTimeout(650);
}
