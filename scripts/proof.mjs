/**
 * `npm run proof`: the randomised suites in full length with a new seed, while `npm test` runs samples with a
 * fixed one. Takes hours. A failing seed is added to the list of `npm test`; `KENNEL_SEED=1 npm run proof`
 * repeats one. `npm run proof -- runtimes` runs the kill storm of agent programs and the suites of the real programs;
 * `npm run proof -- delays` runs the page's tests with a host whose messages arrive late.
 */
import { randomInt } from 'node:crypto';
import { inRoot } from './lib/project.mjs';
import { runCheck, runVitest } from './lib/run-suite.mjs';
import { runSuites } from './lib/run-suites.mjs';
import { keepFailures } from './lib/seed-list.mjs';
import { proofSuites } from './lib/suites.mjs';

const say = (line) => console.log(line);
const seed = Number(process.env.KENNEL_SEED ?? randomInt(2 ** 31));

async function proveRuntimes() {
  const out = process.stdout;
  const built = await runCheck('node', [inRoot('scripts/build.mjs'), 'cli'], { out });
  if (built.failed > 0) return { code: 1, failures: [] };
  const { harnessSuites } = await import('../test/conformance/runtimes.ts');
  const storm = await runVitest('host', { out }, ['test/faults/program-storm.test.ts']);
  let failed = storm.failed;
  for (const harness of harnessSuites) {
    say(`\n== ${harness}`);
    const suite = await runCheck('node', [inRoot('scripts/conformance.mjs'), 'runtimes', harness], { out });
    failed += suite.failed;
  }
  say(`\n${failed === 0 ? 'all passed' : `${failed} failed`}`);
  return { code: failed === 0 ? 0 : 1, failures: storm.failures };
}

async function proveDelays() {
  process.env.KENNEL_TEST_DELAYS = String(seed);
  return runSuites(['renderer']);
}

async function proveAll() {
  const whole = await runSuites(proofSuites);
  const delays = await proveDelays();
  return { code: whole.code || delays.code, failures: [...whole.failures, ...delays.failures] };
}

const parts = { runtimes: proveRuntimes, delays: proveDelays };

process.env.KENNEL_PROOF = '1';
process.env.KENNEL_SEED = String(seed);
say(`Seed of this proof run: ${seed}`);
const part = process.argv[2];
if (part !== undefined && !Object.hasOwn(parts, part)) {
  console.error(`no part '${part}'; there are: ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}
const { code, failures } = await (part === undefined ? proveAll() : parts[part]());
keepFailures(
  seed,
  failures.flatMap(({ file }) => (file ? [file] : [])),
  say,
);
say(`Seed of this proof run: ${seed}`);
process.exitCode = code;
