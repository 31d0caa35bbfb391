/**
 * `npm start` from a terminal: the app with a display, the host without one, and Ctrl-C ends both completely.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import {
  appEnvironment,
  freshFolder,
  isAlive,
  processTree,
  root,
  runtimeFolder,
  waitFor,
} from '../desktop.ts';
import { test } from '../desktop-session.ts';

interface Started {
  readonly child: ChildProcess;
  readonly home: string;
  text(): string;
  env: Record<string, string>;
}

// One worker, because each start builds outdated files.
test.describe.configure({ mode: 'default' });

const all: Started[] = [];

function start(more: Record<string, string | undefined>): Started {
  const home = freshFolder('home');
  const env = appEnvironment(home);
  for (const [name, value] of Object.entries(more)) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  const child = spawn('npm', ['start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  const started = { child, home, env, text: () => text };
  all.push(started);
  return started;
}

/** Removes npm's warnings about the machine's own npmrc. */
const ownWords = (started: Started): string =>
  started
    .text()
    .split('\n')
    .filter((line) => !/^npm warn Unknown \w+ config/i.test(line))
    .join('\n');

const status = ({ env }: Started): { running?: boolean; firstRun?: boolean } => {
  const { stdout } = spawnSync('npm', ['run', '-s', 'kennel', '--', 'status', '--json'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return stdout.startsWith('{') ? JSON.parse(stdout) : {};
};

/** `Ctrl-C` interrupts the process group, `kill` signals only npm. Both must end all processes below. */
async function end({ child }: Started, how: 'Ctrl-C' | 'kill'): Promise<void> {
  const pid = child.pid ?? 0;
  const tree = processTree(pid);
  expect(tree.length).toBeGreaterThan(1);
  if (how === 'kill') child.kill('SIGTERM');
  else process.kill(-pid, 'SIGINT');
  await waitFor('everything below npm ends', () => !tree.some(isAlive), 14_000);
}

/** In a fresh clone, `npm start` installs and builds first, which takes minutes and is not tested here. */
test.beforeAll(async () => {
  test.setTimeout(300_000);
  const setup = new URL('../../scripts/lib/setup.mjs', import.meta.url);
  const { ensureDependencies } = (await import(setup.href)) as {
    ensureDependencies(say: () => void): Promise<boolean>;
  };
  expect(await ensureDependencies(() => {})).toBe(true);
  for (const flavour of [[], ['--e2e']]) {
    const built = spawnSync('node', ['scripts/build.mjs', ...flavour], { cwd: root, encoding: 'utf8' });
    expect(built.status, built.stderr).toBe(0);
  }
});

test.afterEach(() => {
  for (const { child, home } of all.splice(0)) {
    if (child.exitCode === null)
      for (const pid of processTree(child.pid ?? 0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
});

test('With a display, the start command runs the tray app on the given runtime', async () => {
  const started = start({ KENNEL_ELECTRON_DIST: runtimeFolder() });
  await waitFor('the host answers', () => status(started).running === true, 60_000);
  // The first-run page is open, and nothing was chosen automatically.
  expect(status(started).firstRun).toBe(true);
  expect(ownWords(started)).not.toMatch(/npm warn|ERROR:/);
  await end(started, 'Ctrl-C');
});

test('Without a display, the start command runs the host, shows a first exchange and a link, and stops on signal', async () => {
  const started = start({ DISPLAY: undefined, WAYLAND_DISPLAY: undefined });
  const link = /http:\/\/127\.0\.0\.1:\d+\/#link=\S+/;
  await waitFor('a link to the page', () => link.test(started.text()), 60_000);
  await waitFor(
    'the first exchange',
    () => /guide/i.test(started.text()) && /sealed|envelope/i.test(started.text()),
    20_000,
  );
  expect(status(started)).toMatchObject({ running: true, firstRun: false });
  await end(started, 'kill');
});

test('A missing Electron is reported in one line, and the host runs without a window', async () => {
  const started = start({ KENNEL_ELECTRON_DIST: path.join(root, 'no-such-folder') });
  await waitFor('the host answers', () => status(started).running === true, 60_000);
  const lines = () =>
    started
      .text()
      .split('\n')
      .filter((line) => line.includes('no-such-folder'));
  // The status command blocks this process, so output is read only afterwards.
  await expect.poll(lines).toHaveLength(1);
  expect(lines()[0]).toContain('starting without a window');
  await end(started, 'Ctrl-C');
});
