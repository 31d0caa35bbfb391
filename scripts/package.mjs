/**
 * `npm run package [-- electron-builder arguments]`: installers into release/. Without arguments on Linux:
 * the unpacked folder. Uses Electron's own program if it is available; otherwise, offline, the test runtime
 * with the test build, which is only good for testing the packaging.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { findElectron } from './lib/electron.mjs';
import { inRoot, projectEnv } from './lib/project.mjs';
import { ensureDependencies } from './lib/setup.mjs';

const say = (line) => console.log(line);
/** `--built`: packages fresh bundles as they are. */
const built = process.argv.includes('--built');
const passed = process.argv.slice(2).filter((arg) => arg !== '--built');

function testRuntime() {
  const { status, stdout } = spawnSync('bash', [inRoot('scripts/electron-runtime.sh')], {
    cwd: inRoot(),
    env: projectEnv(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return status === 0 ? stdout.trim() : null;
}

/** `null` if electron-builder should download the official program that the electron package names. */
function runtime() {
  const named = process.env.KENNEL_ELECTRON_DIST;
  const found = findElectron(() => {});
  if (found?.flavour === 'product' && !named) return null;
  const dist = named ?? testRuntime();
  return dist ? { dist, ...electronFacts(dist) } : null;
}

function electronFacts(dist) {
  const version = readFileSync(`${dist}/version`, 'utf8').trim().replace(/^v/, '');
  return { version, test: Number(version.split('.')[0]) < 35 };
}

/** The same configuration with the test build instead of the product's, and its substitute database. */
function testConfig() {
  const config = parse(readFileSync(inRoot('electron-builder.yml'), 'utf8'));
  const stamps = ['**', '!.stamps{,/**}', '!package.json', '!resources{,/**}', '!cli{,/**}'];
  const extra = ['libsql', '@libsql/linux-x64-gnu', '@neon-rs/load', 'detect-libc'].map((name) => ({
    from: `node_modules/${name}`,
    to: `node_modules/${name}`,
  }));
  config.files = [
    { from: 'dist-e2e', to: 'dist', filter: stamps },
    ...config.files.filter((entry) => entry !== 'dist/**'),
    '!dist{,/**}',
    ...extra,
  ];
  mkdirSync(inRoot('.cache'), { recursive: true });
  const file = inRoot('.cache/electron-builder.test.json');
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}

function run(file, args) {
  return spawnSync(file, args, { cwd: inRoot(), env: projectEnv(), stdio: 'inherit' }).status ?? 1;
}

async function main() {
  if (!(await ensureDependencies(say))) return 1;
  const own = runtime();
  if (own?.test)
    say(`Packing for the test runtime Electron ${own.version}: do not give the result to people.`);
  const build = [
    inRoot('scripts/build.mjs'),
    '--clean',
    ...(built ? [] : ['--force']),
    ...(own?.test ? ['--e2e'] : []),
  ];
  const failed = run('node', build);
  if (failed !== 0) return failed;
  const what = passed.length > 0 ? passed : process.platform === 'linux' ? ['--linux', 'dir'] : [];
  const dist = own ? [`-c.electronDist=${own.dist}`, `-c.electronVersion=${own.version}`] : [];
  const config = own?.test ? ['--config', testConfig()] : [];
  const args = [...what, '--publish', 'never', ...config, ...dist];
  return run('node', [inRoot('node_modules/electron-builder/cli.js'), ...args]);
}

process.exitCode = await main();
