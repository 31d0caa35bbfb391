/**
 * The suites of `npm test`, ordered by the cost of finding a mistake, and the builds that some of them test.
 */
import { execFile } from 'node:child_process';
import { inRoot, projectEnv } from './project.mjs';
import { runCheck, runPlaywright, runVitest } from './run-suite.mjs';

const script = (name) => inRoot('scripts', name);
const bin = (name) => inRoot('node_modules/.bin', name);

/** Caches parse results for the next run. */
const knipArgs = ['--cache', '--cache-location', inRoot('.cache/knip')];

const sum = (results) =>
  results.reduce((all, one) => ({
    passed: all.passed + one.passed,
    failed: all.failed + one.failed,
    skipped: all.skipped + one.skipped,
    failures: [...(all.failures ?? []), ...(one.failures ?? [])],
  }));

async function all(...steps) {
  const results = [];
  for (const step of steps) results.push(await step());
  return sum(results);
}

/** A build is no test: it counts only if it fails. */
const build = async (out, ...args) => ({
  ...(await runCheck('node', [script('build.mjs'), ...args], { out })),
  passed: 0,
});

const findRuntime = () =>
  new Promise((resolve) => {
    execFile(
      'bash',
      [script('electron-runtime.sh')],
      { cwd: inRoot(), env: projectEnv() },
      (error, stdout, stderr) =>
        resolve(
          error
            ? { gone: error.code === 3, why: stderr.trim() || 'no Electron runtime' }
            : { dist: stdout.trim() },
        ),
    );
  });

let runtime = null;

/**
 * `{dist}`, or the reason for its absence; `gone`: unpublished, the only case in which a test run may
 * continue without it.
 */
function testRuntime() {
  runtime ??= findRuntime();
  return runtime;
}

/** The quick cases of real agent programs, fetched once into a cache; what cannot be fetched is skipped, and named. */
async function runPrograms(out) {
  let text = '';
  const kept = {
    write(piece) {
      text += piece;
      out.write(piece);
    },
  };
  const args = [script('conformance.mjs'), 'runtimes', 'quick'];
  const whole = await runCheck('node', args, { out: kept, limitMinutes: 15 });
  const lines = text.split('\n');
  const count = (start) => lines.filter((line) => line.startsWith(start)).length;
  const [passed, failed] = [count('ok '), count('not ok ')];
  const skipped = lines.filter((line) => line.startsWith('SKIPPED: '));
  const note = skipped.length === 0 ? {} : { note: skipped.join('; ') };
  return { passed, failed: Math.max(failed, whole.failed), skipped: skipped.length, ...note };
}

/** For Electron suites: each worker starts a desktop of its own (e2e/desktop-session.ts). */
async function withRuntime(out, run) {
  const { dist, gone, why } = await testRuntime();
  if (!dist) {
    if (gone) return { passed: 0, failed: 0, skipped: 0, excused: why };
    out.write(`${why}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  return run({ out, env: { KENNEL_ELECTRON_DIST: dist } });
}

/**
 * `cost`: number of busy cores. `after`: dependencies. `for`: a build, and the suites that test it. `window`:
 * skipped as a whole if a system package is missing; other suites fail test by test.
 */
export const jobs = [
  { name: 'build', cost: 1, for: ['host', 'renderer', 'electron', 'package'], run: (out) => build(out) },
  {
    name: 'lint',
    cost: 1,
    run: (out) =>
      all(
        () => runCheck(bin('biome'), ['check', '.'], { out }),
        () => runCheck('node', [script('code-rules.ts')], { out }),
      ),
  },
  {
    name: 'types',
    cost: 1,
    run: (out) =>
      all(
        () => runCheck(bin('tsc'), ['-p', 'tsconfig.node.json'], { out }),
        () => runCheck(bin('tsc'), ['-p', 'tsconfig.web.json'], { out }),
      ),
  },
  {
    name: 'test build',
    cost: 1,
    for: ['electron', 'package'],
    after: ['build'],
    run: (out) => build(out, '--e2e'),
  },
  { name: 'borders', cost: 1, run: (out) => runCheck('node', [script('borders.ts')], { out }) },
  { name: 'unused', cost: 1, run: (out) => runCheck(bin('knip'), knipArgs, { out }) },
  // The built command line starts four times as fast as its source.
  { name: 'cli build', cost: 1, for: ['unit'], after: ['build'], run: (out) => build(out, 'cli') },
  { name: 'unit', cost: 'all', after: ['cli build'], run: (out) => runVitest('unit', { out }) },
  { name: 'host', cost: 'all', after: ['build'], run: (out) => runVitest('host', { out }) },
  { name: 'programs', cost: 1, run: (out) => runPrograms(out) },
  {
    name: 'renderer',
    window: true,
    cost: 'all',
    after: ['build'],
    run: (out) => runPlaywright('test/renderer/playwright.config.ts', { out }),
  },
  {
    name: 'electron',
    window: true,
    cost: 'all',
    after: ['test build'],
    run: (out) =>
      withRuntime(out, (found) => runPlaywright('e2e/playwright.config.ts', { ...found, project: 'app' })),
  },
  {
    name: 'package',
    window: true,
    cost: 1,
    after: ['test build'],
    run: (out) =>
      withRuntime(out, (found) =>
        all(
          () => runCheck('node', [script('package.mjs'), '--built'], { out, env: found.env }),
          () => runPlaywright('e2e/playwright.config.ts', { ...found, project: 'package' }),
        ),
      ),
  },
];

export const suites = jobs.filter((job) => job.for === undefined);
export const checkSuites = ['lint', 'types', 'borders', 'unused', 'unit'];
export const proofSuites = ['unit', 'host', 'renderer'];
