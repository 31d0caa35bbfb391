/** One app per test, on a data folder of its own, closed and checked for left-over processes afterwards. */
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  test as base,
  type ElectronApplication,
  _electron as electron,
  expect,
  type Page,
} from '@playwright/test';
import type { HostClient } from '../../src/contract/host-api.ts';
import {
  appEnvironment,
  freshFolder,
  isAlive,
  processTree,
  root,
  runtimeFolder,
  sandboxArguments,
  waitFor,
} from '../desktop.ts';

export interface OpenedApp {
  readonly app: ElectronApplication;
  readonly child: ChildProcess;
  readonly page: Page;
  readonly home: string;
  readonly errors: string[];
}

export const buildFolder = path.join(root, 'dist-e2e');

async function openApp(home: string): Promise<OpenedApp> {
  const app = await electron.launch({
    executablePath: path.join(runtimeFolder(), 'electron'),
    args: [...sandboxArguments, buildFolder],
    env: appEnvironment(home),
  });
  const errors: string[] = [];
  const page = await app.firstWindow();
  page.on('pageerror', (error) => errors.push(String(error)));
  return { app, child: app.process(), page, home, errors };
}

/** Ends it the way a person would, and hard when that takes too long. */
async function endApp({ child }: OpenedApp): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const pids = processTree(child.pid);
  child.kill('SIGTERM');
  try {
    await waitFor('the app ends', () => !pids.some(isAlive), 12_000);
  } catch (error) {
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
    throw error;
  }
}

export const test = base.extend<{ open: (home?: string) => Promise<OpenedApp> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
  open: async ({}, use) => {
    const opened: OpenedApp[] = [];
    const homes = new Set<string>();
    await use(async (home = freshFolder('home')) => {
      const one = await openApp(home);
      homes.add(home);
      opened.push(one);
      return one;
    });
    for (const one of opened) await endApp(one);
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  },
});

export { expect };

/** First run, "Try it now", until the first encrypted greeting stands in the room. */
export async function tryItNow(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Try it now|^Start/ }).click();
  await expect(page.getByLabel(/^Message from Guide/).first()).toBeVisible({ timeout: 20_000 });
}

/** What an agent is called on the server: mentions count only as whole slugs. */
export function slugOf(page: Page, agent: string): Promise<string> {
  return page.evaluate(async (id) => {
    const kennel = Reflect.get(globalThis, 'kennel') as HostClient;
    const found = await kennel.call('agents.get', { agent: id });
    return found.ok ? (found.value.slug ?? '') : '';
  }, agent);
}
