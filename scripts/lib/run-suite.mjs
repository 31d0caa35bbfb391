/** Runs one command of a suite with a time limit, forwards its output, and reads its test counts. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { inRoot, projectEnv } from './project.mjs';

/** Kills the whole process group: a browser or an X server must not outlive its suite. */
function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // already gone
  }
}

/** In minutes; `npm run proof` takes hours by design. */
const usualLimit = () => (process.env.KENNEL_PROOF === '1' ? 24 * 60 : 40);

const running = new Set();

function stopAll() {
  for (const child of running) killGroup(child, 'SIGTERM');
  process.exit(130);
}
process.once('SIGINT', stopAll).once('SIGTERM', stopAll);

/** Commands write to a pipe; this keeps their colours if the terminal has colours. */
const colours = () => (process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {});

/** Returns the exit code; 124 after a timeout. */
function runCommand(file, args, { out, env = {}, limitMinutes = usualLimit() }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: inRoot(),
      env: projectEnv({ ...colours(), ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    running.add(child);
    child.stdout.on('data', (piece) => out.write(piece));
    child.stderr.on('data', (piece) => out.write(piece));
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      out.write(`Stopped: the limit of ${limitMinutes} minutes is over.\n`);
      killGroup(child, 'SIGTERM');
      setTimeout(() => killGroup(child, 'SIGKILL'), 5000).unref();
    }, limitMinutes * 60_000);
    const done = (code) => {
      clearTimeout(limit);
      killGroup(child, 'SIGKILL');
      running.delete(child);
      resolve(late ? 124 : code);
    };
    child.on('error', (error) => {
      out.write(`Could not start ${file}: ${error.message}\n`);
      done(127);
    });
    // Processes it left running may hold its pipes open: killing the group closes them.
    child.on('exit', (code, signal) => {
      killGroup(child, 'SIGKILL');
      const end = () => done(signal ? 1 : code);
      child.on('close', end);
      setTimeout(end, 5000).unref();
    });
  });
}

/** Runs a command that is a single check: it passes or fails as a whole. */
export async function runCheck(file, args, options) {
  const code = await runCommand(file, args, options);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** Missing counts, or an exit code without a failed test, count as one failure. */
function settle(counts, code) {
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const unnamed = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: failed + (unnamed ? 1 : 0), skipped };
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** `files`: only these. */
export async function runVitest(project, options, files = []) {
  const report = inRoot('.cache/test', `${project}.json`);
  rmSync(report, { force: true });
  const vitest = inRoot('node_modules/vitest/vitest.mjs');
  // The star includes projects of failed seeds, which are named after this one.
  const args = [vitest, 'run', ...files, '--project', `${project}*`, '--reporter=default', '--reporter=json'];
  const code = await runCommand('node', [...args, `--outputFile.json=${report}`], options);
  const json = readJson(report);
  const counts = json && {
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests,
  };
  return { ...settle(counts, code), failures: vitestFailures(json) };
}

/** `[{name, why}]`: first lines of each failure's message, so that the end of a long log explains it. */
function vitestFailures(json) {
  return (json?.testResults ?? []).flatMap((file) => {
    const name = relative(inRoot(), file.name);
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed')
      return [{ name, file: name, why: shortened(file.message) }];
    return failed.map((one) => ({
      name: `${name} > ${one.fullName}`,
      file: name,
      why: shortened(one.failureMessages.join('\n')),
    }));
  });
}

const shortened = (text) => (text ?? '').split('\n').slice(0, 12).join('\n').slice(0, 1500);

const playwrightFailures = (suites, path = []) =>
  suites.flatMap((suite) => {
    const here = [...path, suite.title];
    const failed = (suite.specs ?? []).filter(({ ok }) => !ok);
    return [
      ...failed.map(({ title, tests }) => ({
        name: [...here, title].join(' > '),
        why: shortened(tests[0]?.results.at(-1)?.error?.message),
      })),
      ...playwrightFailures(suite.suites ?? [], here),
    ];
  });

export async function runPlaywright(config, { out, project = '', env = {} }) {
  const report = inRoot('.cache/test', `${config.replaceAll('/', '-')}${project}.json`);
  rmSync(report, { force: true });
  const cli = inRoot('node_modules/@playwright/test/cli.js');
  const filter = project === '' ? [] : ['--project', project];
  const code = await runCommand('node', [cli, 'test', '-c', config, ...filter, '--reporter=list,json'], {
    out,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  const json = readJson(report);
  const stats = json?.stats;
  const counts = stats && {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  };
  return { ...settle(counts, code), failures: playwrightFailures(json?.suites ?? []) };
}
