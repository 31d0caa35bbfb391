/** One app per test with its own data folder; closed and checked for leftover processes afterwards. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  type ElectronApplication,
  _electron as electron,
  expect,
  type Page,
  type TestInfo,
} from '@playwright/test';
import type { PageBridge } from '../../src/contract/ipc-channels.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../src/contract/methods.ts';
import type { Result } from '../../src/contract/result.ts';
import {
  answered,
  answerMs,
  appEnvironment,
  freshFolder,
  isAlive,
  processTree,
  root,
  runtimeFolder,
  sandboxArguments,
  waitFor,
} from '../desktop.ts';
import { test as base } from '../desktop-session.ts';
import { keepResults } from './keep-results.ts';

export interface OpenedApp {
  readonly app: ElectronApplication;
  readonly child: ChildProcess;
  readonly page: Page;
  readonly home: string;
  readonly errors: string[];
  /** All output so far. */
  said(): string;
}

export const buildFolder = path.join(root, 'dist-e2e');
const holdStart = path.join(import.meta.dirname, 'hold-start.cjs');

export interface OpenOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The first window; if none comes, throws an error with the app's processes and all that it has printed. */
async function firstWindow(app: ElectronApplication, said: () => string): Promise<Page> {
  try {
    return await app.firstWindow({ timeout: answerMs });
  } catch (error) {
    const states = processTree(app.process().pid ?? 0).map((pid) => stateOf(pid));
    throw new Error(`No window. Processes:\n${states.join('\n')}\nPrinted:\n${said()}`, { cause: error });
  }
}

/** One line: process id, state, system call that it waits in, arguments. */
function stateOf(pid: number): string {
  const read = (file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
    } catch {
      return '?';
    }
  };
  const state = /^State:\s*(.*)$/m.exec(read('status'))?.[1] ?? '?';
  return `${pid} ${state} ${read('wchan')} ${read('cmdline').slice(0, 200)}`;
}

async function openApp(home: string, { args = [], env = {} }: OpenOptions): Promise<OpenedApp> {
  const app = keepResults(
    await electron.launch({
      executablePath: path.join(runtimeFolder(), 'electron'),
      args: [...sandboxArguments, '-r', holdStart, buildFolder, ...args],
      env: appEnvironment(home, env),
      timeout: answerMs,
    }),
  );
  const errors: string[] = [];
  let said = '';
  for (const stream of [app.process().stdout, app.process().stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  await app.evaluate(() => Reflect.get(globalThis, 'startApp')());
  const page = await firstWindow(app, () => said);
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (line) => line.type() === 'error' && errors.push(line.text()));
  return { app, child: app.process(), page, home, errors, said: () => said };
}

/** Attaches the page's text, errors and output to a failed test. */
async function attachWhatIsSeen({ page, said, errors }: OpenedApp, testInfo: TestInfo): Promise<void> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 2000 })
    .catch(() => 'no page');
  const body = [text, ...errors, said()].join('\n---\n');
  await testInfo.attach('said', { body, contentType: 'text/plain' });
  console.log(body);
  const screen = await page.screenshot({ timeout: 5000 }).catch(() => null);
  if (screen) await testInfo.attach('screen', { body: screen, contentType: 'image/png' });
}

/** Ends the app by SIGTERM, and by SIGKILL after a timeout. */
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

export const test = base.extend<{ open: (home?: string, options?: OpenOptions) => Promise<OpenedApp> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
  open: async ({}, use, testInfo) => {
    const opened: OpenedApp[] = [];
    const homes = new Set<string>();
    await use(async (home = freshFolder('home'), options = {}) => {
      const one = await openApp(home, options);
      homes.add(home);
      opened.push(one);
      return one;
    });
    const failed = testInfo.status !== testInfo.expectedStatus;
    for (const one of opened) {
      if (failed) await attachWhatIsSeen(one, testInfo);
      await endApp(one);
    }
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  },
});

export { expect };

/** First run: starts the demo and waits for the first encrypted greeting. */
export async function tryItNow(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Try it now|^Start/ }).click();
  await expect(page.getByLabel(/^Message from Guide/).first()).toBeVisible({ timeout: 20_000 });
}

/** Calls a host method through the page's bridge; throws on an error. */
export async function call<M extends MethodName>(
  page: Page,
  method: M,
  input: MethodInput<M>,
): Promise<MethodOutput<M>> {
  const text = await answered(
    `${method} in the page`,
    page.evaluate(
      async ([name, given]) => {
        const kennel = Reflect.get(globalThis, 'kennel') as PageBridge;
        return kennel.call(name, given);
      },
      [method, input] as const,
    ),
  );
  const result = JSON.parse(text) as Result<MethodOutput<M>>;
  if (!result.ok) throw new Error(`${method}: ${result.error.message}`);
  return result.value;
}

/** Buttons of the shell's pages are intercepted links; a Playwright click would wait for a navigation. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name }).evaluate((link: HTMLElement) => void setTimeout(() => link.click(), 0));

/** Kills the app and all its child processes with SIGKILL. */
export async function killApp({ child }: OpenedApp): Promise<void> {
  const tree = processTree(child.pid ?? 0);
  for (const pid of tree.filter(isAlive)) process.kill(pid, 'SIGKILL');
  await waitFor('the app is dead', () => !tree.some(isAlive), 10_000);
}

/** Slug of an agent; mentions match only whole slugs. */
export async function slugOf(page: Page, agent: string): Promise<string> {
  return (await call(page, 'agents.get', { agent })).slug ?? '';
}
