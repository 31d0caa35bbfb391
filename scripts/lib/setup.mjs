/** Installs dependencies if they are missing or the lock file changed; otherwise takes a few milliseconds. */
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { inRoot, projectEnv, projectNode } from './project.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';

const stampFile = inRoot('node_modules/.kennel-lock');
const lockHash = () => hashOf([], ['package-lock.json']);

/** Also true after a manual `npm ci`: npm's own record is newer than the lock file then. */
function installed(hash) {
  const record = inRoot('node_modules/.package-lock.json');
  if (!existsSync(record) || projectNode() === null) return false;
  const stamp = readStamp(stampFile);
  if (stamp !== '') return stamp === hash;
  return statSync(record).mtimeMs >= statSync(inRoot('package-lock.json')).mtimeMs;
}

/** A linked folder belongs to another checkout: npm would empty it before installing. */
const isLinked = (folder) => lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** The npm that runs `npm start`; otherwise the one on the PATH. */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js') && existsSync(script)) return { file: process.execPath, first: [script] };
  return { file: process.platform === 'win32' ? 'npm.cmd' : 'npm', first: [] };
}

function npmCi() {
  const { file, first } = npmCommand();
  const args = [...first, 'ci', '--loglevel=error', '--no-audit', '--no-fund'];
  const env = projectEnv({ ELECTRON_SKIP_BINARY_DOWNLOAD: '1' });
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: inRoot(), env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

/** Resolves to true if the dependencies are installed; reports its steps and, on failure, the next step. */
export async function ensureDependencies(say) {
  const hash = lockHash();
  if (installed(hash)) {
    if (readStamp(stampFile) === '') writeStamp(stampFile, hash);
    return true;
  }
  if (isLinked(inRoot('node_modules'))) {
    const usable = projectNode() !== null;
    say(
      `node_modules is a link to another folder and is used as it is${usable ? '' : '; what is needed is not there'}.`,
    );
    if (!usable) say('Remove the link, and start again: then the dependencies are installed here.');
    return usable;
  }
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  say('Installing dependencies (once, about a minute) ...');
  const ticker = setInterval(() => say(`  still installing, ${seconds()} s`), 15_000);
  const { ok, output } = await npmCi();
  clearInterval(ticker);
  if (ok && projectNode() !== null) {
    writeStamp(stampFile, hash);
    say(`Dependencies are in place (${seconds()} s).`);
    return true;
  }
  say(`Installing the dependencies failed. npm said:\n${output.trim()}`);
  say('Nothing else was changed. Check the network and try again.');
  return false;
}
