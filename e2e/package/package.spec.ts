/** The packaged application: fuses, contents, command line, start (T23). */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';
import { _electron as electron, expect } from '@playwright/test';
import { keepResults } from '../app/keep-results.ts';
import { call } from '../app/open-app.ts';
import {
  answerMs,
  appEnvironment,
  commandLine,
  freshFolder,
  isAlive,
  processTree,
  root,
  runtimeFolder,
  sandboxArguments,
  waitFor,
} from '../desktop.ts';
import { test } from '../desktop-session.ts';

const packed = path.join(root, 'release/linux-unpacked');
const program = path.join(packed, 'kennel-app');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Runs the packaged program until it exits. */
function run(args: readonly string[], env: Record<string, string> = {}, file = program) {
  return spawnSync(file, [...sandboxArguments, ...args], {
    env: appEnvironment(freshFolder('home'), env),
    encoding: 'utf8',
    timeout: 30_000,
  });
}

/** A script that creates a file, which shows that it ran. */
function markingScript(): { script: string; mark: string } {
  const folder = freshFolder('mark');
  const mark = path.join(folder, 'ran');
  const script = path.join(folder, 'script.js');
  writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'x');\n`);
  return { script, mark };
}

test('Every Electron fuse has its intended value', async () => {
  const fuses = await getCurrentFuseWire(program);
  const on = (option: FuseV1Options): boolean => fuses[option] === FuseState.ENABLE;
  expect({
    runAsNode: on(FuseV1Options.RunAsNode),
    nodeOptions: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    inspect: on(FuseV1Options.EnableNodeCliInspectArguments),
    onlyAsar: on(FuseV1Options.OnlyLoadAppFromAsar),
    integrity: on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    cookies: on(FuseV1Options.EnableCookieEncryption),
    filePrivileges: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
  }).toEqual({
    runAsNode: false,
    nodeOptions: false,
    inspect: false,
    onlyAsar: true,
    integrity: true,
    cookies: true,
    filePrivileges: false,
  });
});

test('The package holds native code for this system only, and no default application', () => {
  const files = readdirSync(path.join(packed, 'resources'), { recursive: true, encoding: 'utf8' });
  const native = files.filter((file) => file.endsWith('.node'));
  expect(native.length).toBeGreaterThan(1);
  expect(native.filter((file) => /darwin|win32|android|ios|musl|arm/.test(file))).toEqual([]);
  expect(files.filter((file) => file.endsWith('.bare'))).toEqual([]);
  expect(existsSync(path.join(packed, 'resources/app'))).toBe(false);
});

test('The package holds only the locales that Kennel supports', () => {
  expect(readdirSync(path.join(packed, 'locales')).sort()).toEqual(['de.pak', 'en-GB.pak', 'en-US.pak']);
});

/** Paths in the archive. */
const archived = (): string[] =>
  spawnSync('npx', ['--no-install', 'asar', 'list', path.join(packed, 'resources/app.asar')], {
    cwd: root,
    encoding: 'utf8',
  }).stdout.split('\n');

/**
 * Electron prefers the archive to an `app` folder beside it, and the fuse OnlyLoadAppFromAsar forbids such a
 * folder.
 */
test('All code is in one archive, without tests and sources (T23)', () => {
  const resources = path.join(packed, 'resources');
  const inside = archived();
  for (const file of [
    '/package.json',
    '/dist/main/index.js',
    '/dist/preload/index.cjs',
    '/dist/renderer/index.html',
  ])
    expect(inside).toContain(file);
  // Tests, sources and the library build are not packaged.
  expect(
    inside.filter((file) => /\.(test|spec)\.|^\/(src|test|e2e|bench|dist\/(library|cli))\//.test(file)),
  ).toEqual([]);
  const unpacked = readdirSync(path.join(resources, 'app.asar.unpacked'), {
    recursive: true,
    encoding: 'utf8',
  });
  expect(unpacked.filter((file) => file.startsWith('dist'))).toEqual([]);
});

test('The code that Kennel adds to Electron stays below 15 MiB', () => {
  const size = (folder: string): number =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
  const resources = path.join(packed, 'resources');
  const unpacked = path.join(resources, 'app.asar.unpacked');
  const archive = statSync(path.join(resources, 'app.asar')).size;
  // The database binding of the test runtime is not part of the product.
  const standIn = size(path.join(unpacked, 'node_modules/@libsql'));
  expect((archive + size(unpacked) - standIn) / 2 ** 20).toBeLessThan(15);
});

test('The compressed image library is the installed one', () => {
  const folder = freshFolder('image-library');
  for (const name of ['photon_rs.js', 'photon_rs_bg.wasm']) {
    const place = path.join('node_modules/@silvia-odwyer/photon-node', name);
    spawnSync(
      path.join(root, 'node_modules/.bin/asar'),
      ['extract-file', path.join(packed, 'resources/app.asar'), `${place}.br`],
      { cwd: folder },
    );
    const unpacked = brotliDecompressSync(readFileSync(path.join(folder, `${name}.br`)));
    expect(unpacked.equals(readFileSync(path.join(root, place)))).toBe(true);
  }
  rmSync(folder, { recursive: true, force: true });
});

/** The app checks for updates a minute after its start; this program uses its updater at once. */
const updaterProgram = `
import { app } from 'electron';
const { default: { autoUpdater } } = await import(process.env.UPDATER);
Object.assign(autoUpdater, { autoDownload: false, forceDevUpdateConfig: true, logger: null });
autoUpdater.setFeedURL({ provider: 'generic', url: process.env.FEED });
// Electron becomes ready after this module has run.
app.whenReady()
  .then(() => autoUpdater.checkForUpdates())
  .then((found) => console.log('offered: ' + found.updateInfo.version), (error) => console.log(String(error)))
  .finally(() => app.quit());
`;

test('The bundled updater reads an update feed', async () => {
  const chunk = archived().find((file) => /^\/dist\/main\/chunks\/main-.*\.js$/.test(file)) ?? '';
  const feed = 'version: 99.0.0\nfiles:\n  - url: kennel.AppImage\n    sha512: AAAA\n    size: 1\n';
  const server = createServer((_request, response) => response.end(feed)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = freshFolder('updater');
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module","main":"index.js","version":"1.0.0"}');
  writeFileSync(path.join(folder, 'index.js'), updaterProgram);
  const child = spawn(path.join(runtimeFolder(), 'electron'), [...sandboxArguments, folder], {
    env: appEnvironment(freshFolder('home'), {
      UPDATER: path.join(packed, 'resources/app.asar', chunk),
      FEED: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    let output = '';
    child.stdout.on('data', (data) => {
      output += String(data);
    });
    await expect.poll(() => output, { timeout: 30_000 }).toContain('offered: 99.0.0');
  } finally {
    child.kill('SIGKILL');
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('--cli answers without opening a window', () => {
  const answer = run(['--cli', 'version']);
  expect(answer.stdout.trim()).toBe(`kennel ${version}`);
  expect(answer.status).toBe(0);
});

test('The packaged kennel command works without a display', () => {
  const env = appEnvironment(freshFolder('home'));
  delete env.DISPLAY;
  const answer = spawnSync(path.join(packed, 'kennel'), ['version'], {
    env,
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(answer).toMatchObject({ status: 0, stdout: `kennel ${version}\n` });
});

test('--cli passes on the exit code', () => {
  expect(run(['--cli', 'agent', 'no-such-verb']).status).toBe(2);
});

test('ELECTRON_RUN_AS_NODE, NODE_OPTIONS and --inspect have no effect', () => {
  const asNode = markingScript();
  run([asNode.script, '--cli', 'version'], { ELECTRON_RUN_AS_NODE: '1' });
  expect(existsSync(asNode.mark)).toBe(false);
  const required = markingScript();
  run(['--cli', 'version'], { NODE_OPTIONS: `--require ${required.script}` });
  expect(existsSync(required.mark)).toBe(false);
  expect(run(['--inspect=0', '--cli', 'version']).stderr).not.toContain('Debugger listening');
});

/**
 * A folder and a copy of the X cookie owned by the user `nobody`, so that an unprivileged account can run the
 * package of root.
 */
function ordinaryAccount(): { command: string[]; folder: string; env: Record<string, string> } {
  const folder = freshFolder('ordinary');
  const env = appEnvironment(path.join(folder, 'home'), { HOME: folder, XDG_CONFIG_HOME: folder });
  if (process.getuid?.() !== 0) return { command: [], folder, env };
  if (env.XAUTHORITY) {
    copyFileSync(env.XAUTHORITY, path.join(folder, 'cookie'));
    env.XAUTHORITY = path.join(folder, 'cookie');
  }
  spawnSync('chown', ['-R', '65534:65534', folder]);
  return { command: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'], folder, env };
}

/** Seccomp mode from the kernel; 2 means that a filter restricts the system calls. */
function seccompOf(pid: number): string {
  return /^Seccomp:\s*(\d)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
}

test('Under an ordinary account, the page runs in the operating system sandbox', async () => {
  const { command, folder, env } = ordinaryAccount();
  const copy = path.join(folder, 'app');
  expect(spawnSync('cp', ['-a', packed, copy]).status).toBe(0);
  const [file = '', ...args] = [...command, path.join(copy, 'kennel-app')];
  const app = spawn(file, args, { env, stdio: 'ignore' });
  const renderer = () =>
    processTree(app.pid ?? 0).find((pid) => commandLine(pid).includes('--type=renderer'));
  try {
    await waitFor('a page process', () => renderer() !== undefined, 15_000);
    expect(commandLine(renderer() ?? 0)).not.toContain('--no-sandbox');
    await expect.poll(() => seccompOf(renderer() ?? 0)).toBe('2');
  } finally {
    const pids = processTree(app.pid ?? 0);
    app.kill('SIGTERM');
    await waitFor('the app ends', () => !pids.some(isAlive), 12_000);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('A copy with the inspect fuse on starts, has its examples, and answers the command line', async () => {
  const copy = path.join(root, 'test-results/packed-copy');
  rmSync(copy, { recursive: true, force: true });
  expect(spawnSync('cp', ['-al', packed, copy]).status).toBe(0);
  const tester = path.join(copy, 'kennel-app');
  // The other files are hard links; this one is replaced by a copy, because it will be changed.
  rmSync(tester);
  copyFileSync(program, tester);
  await flipFuses(tester, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  const home = freshFolder('home');
  const app = keepResults(
    await electron.launch({
      executablePath: tester,
      args: [...sandboxArguments, '--hidden'],
      env: appEnvironment(home),
      timeout: answerMs,
    }),
  );
  // Opens the window after the debugger has attached, as e2e/app/hold-start.cjs does.
  const windows = () =>
    app.evaluate(({ app: electronApp, BrowserWindow }) => {
      electronApp.emit('activate');
      return BrowserWindow.getAllWindows().length;
    });
  await expect.poll(windows, { timeout: answerMs }).toBe(1);
  const page = await app.firstWindow({ timeout: answerMs });
  await expect(page.getByText('Welcome to Kennel')).toBeVisible();
  const { files } = await call(page, 'workflows.list', {});
  expect(files.map(({ name }) => name)).toContain('release-checklist');
  const status = spawnSync(program, [...sandboxArguments, '--cli', 'status', '--json'], {
    env: appEnvironment(home),
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(JSON.parse(status.stdout)).toMatchObject({ running: true, home });
  await app.close();
  rmSync(copy, { recursive: true, force: true });
});
