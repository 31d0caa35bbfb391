/**
 * `npm run proof`: the randomised suites in full length with a new seed, while `npm test` runs samples with a
 * fixed one. Takes hours. A failing seed is added to the list of `npm test`; `KENNEL_SEED=1 npm run proof`
 * repeats one.
 */
import { randomInt } from 'node:crypto';
import { runSuites } from './lib/run-suites.mjs';
import { keepFailures } from './lib/seed-list.mjs';
import { proofSuites } from './lib/suites.mjs';

const say = (line) => console.log(line);
const seed = Number(process.env.KENNEL_SEED ?? randomInt(2 ** 31));

process.env.KENNEL_PROOF = '1';
process.env.KENNEL_SEED = String(seed);
say(`Seed of this proof run: ${seed}`);
const { code, failures } = await runSuites(proofSuites);
keepFailures(
  seed,
  failures.flatMap(({ file }) => (file ? [file] : [])),
  say,
);
say(`Seed of this proof run: ${seed}`);
process.exitCode = code;
