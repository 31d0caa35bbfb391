/** The suites of `npm test`, in the order in which a mistake is cheapest to find. */
import { spawnSync } from 'node:child_process';
import { inRoot, projectEnv } from './project.mjs';
import { runCheck, runPlaywright, runVitest } from './run-suite.mjs';

const script = (name) => inRoot('scripts', name);
const bin = (name) => inRoot('node_modules/.bin', name);

const sum = (results) =>
  results.reduce((all, one) => ({
    passed: all.passed + one.passed,
    failed: all.failed + one.failed,
    skipped: all.skipped + one.skipped,
    failures: [...(all.failures ?? []), ...(one.failures ?? [])],
  }));

/** One after the other: the machine may have two cores. */
async function all(...steps) {
  const results = [];
  for (const step of steps) results.push(await step());
  return sum(results);
}

/** Not a test: it counts only when it fails. */
const build = async (...args) => ({ ...(await runCheck('node', [script('build.mjs'), ...args])), passed: 0 });

/** `{dist}`, or why there is none; `gone`: withdrawn by its publisher, the one thing a test run may go on without. */
function testRuntime() {
  const { status, stdout, stderr } = spawnSync('bash', [script('electron-runtime.sh')], {
    cwd: inRoot(),
    env: projectEnv(),
    encoding: 'utf8',
  });
  if (status === 0) return { dist: stdout.trim() };
  return { gone: status === 3, why: stderr.trim() || 'no Electron runtime' };
}

/** Electron suites: the desktop session around them, the runtime found before HOME moves. */
async function inDesktop(run) {
  const { dist, gone, why } = testRuntime();
  if (!dist) {
    if (gone) return { passed: 0, failed: 0, skipped: 0, excused: why };
    console.log(why);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  return run({ wrap: ['bash', script('desktop-session.sh')], env: { KENNEL_ELECTRON_DIST: dist } });
}

/** `window`: does not run at all where one of its system packages is missing; other suites fail test by test. */
export const suites = [
  {
    name: 'lint',
    run: () =>
      all(
        () => runCheck(bin('biome'), ['check', '.']),
        () => runCheck('node', [script('house-rules.ts')]),
      ),
  },
  {
    name: 'types',
    run: () =>
      all(
        () => runCheck(bin('tsc'), ['-p', 'tsconfig.node.json']),
        () => runCheck(bin('tsc'), ['-p', 'tsconfig.web.json']),
      ),
  },
  { name: 'borders', run: () => runCheck('node', [script('borders.ts')]) },
  { name: 'unused', run: () => runCheck(bin('knip'), []) },
  { name: 'unit', run: () => runVitest('unit') },
  {
    name: 'host',
    run: () =>
      all(
        () => build(),
        () => runVitest('host'),
      ),
  },
  {
    name: 'renderer',
    window: true,
    run: () =>
      all(
        () => build('renderer'),
        () => runPlaywright('test/renderer/playwright.config.ts'),
      ),
  },
  {
    name: 'electron',
    window: true,
    run: () =>
      inDesktop((desktop) =>
        all(
          () => build('--e2e'),
          () => runPlaywright('e2e/playwright.config.ts', { ...desktop, project: 'app' }),
        ),
      ),
  },
  {
    name: 'package',
    window: true,
    run: () =>
      inDesktop((desktop) =>
        all(
          () => runCheck('node', [script('package.mjs')], { env: desktop.env }),
          () => runPlaywright('e2e/playwright.config.ts', { ...desktop, project: 'package' }),
        ),
      ),
  },
];

export const checkSuites = ['lint', 'types', 'borders', 'unused', 'unit'];
export const proofSuites = ['unit', 'host', 'renderer'];
