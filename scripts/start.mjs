/**
 * `npm start`: installs and builds missing parts, then runs Kennel: as the tray app with a display, otherwise
 * without a window.
 */
import { spawnSync } from 'node:child_process';
import { outputFolder, staleBundles } from './lib/bundle-state.mjs';
import { findElectron } from './lib/electron.mjs';
import { inRoot, projectEnv, projectNode } from './lib/project.mjs';
import { runChild } from './lib/run-child.mjs';
import { ensureDependencies } from './lib/setup.mjs';

const say = (line) => console.error(line);
const passed = process.argv.slice(2).filter((arg) => arg !== '--headless');
const headlessWanted = process.argv.includes('--headless');

function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

function build(flavour) {
  if (staleBundles(flavour).length === 0) return true;
  say('Building ...');
  const args = [inRoot('scripts/build.mjs'), ...(flavour === 'e2e' ? ['--e2e'] : [])];
  return (
    spawnSync(projectNode(), args, { stdio: ['ignore', 'ignore', 'inherit'], env: projectEnv() }).status === 0
  );
}

/** Electron did not start if it dies this way: a missing library, a forbidden sandbox, no usable display. */
const neverCameUp = ({ code, signal, error }, ms) =>
  error !== '' ||
  (ms < 10_000 && (code === 127 || ['SIGTRAP', 'SIGABRT', 'SIGSEGV', 'SIGILL'].includes(signal)));

function electronArguments(electron) {
  const folder = electron.flavour === 'e2e' ? outputFolder('e2e') : inRoot();
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  if (asRoot)
    say("Running as root: Electron's sandbox is off (--no-sandbox). Use an ordinary account for real work.");
  // Hides Chromium's messages about buses and graphics; fatal ones still appear.
  return ['--log-level=3', ...(asRoot ? ['--no-sandbox'] : []), folder, ...passed];
}

/** Exit code, or `null` if the app did not start. */
async function runApp(electron) {
  if (electron.flavour === 'e2e') {
    say(`Electron ${electron.version} is a test runtime: the database is a stand-in and is not encrypted.`);
    if (!build('e2e')) return 1;
  }
  const started = Date.now();
  const env = projectEnv({ ELECTRON_RUN_AS_NODE: undefined });
  const outcome = await runChild(electron.file, electronArguments(electron), env);
  if (!neverCameUp(outcome, Date.now() - started)) return outcome.code;
  say(
    `The window could not start (${outcome.error || outcome.signal || outcome.code}); starting without a window.`,
  );
  return null;
}

async function main() {
  if (!(await ensureDependencies(say))) return 1;
  if (!build('product')) return 1;
  const electron = !headlessWanted && hasDisplay() ? findElectron(say) : null;
  const code = electron ? await runApp(electron) : null;
  if (code !== null) return code;
  const args = [inRoot('dist/cli/kennel.js'), 'start', ...passed];
  return (await runChild(projectNode(), args, projectEnv())).code;
}

process.exitCode = await main();
