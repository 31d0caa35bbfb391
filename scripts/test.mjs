/**
 * `npm test`: installs and builds missing parts and runs every suite; `npm test -- --only unit,host` runs
 * some.
 */
import { runSuites } from './lib/run-suites.mjs';
import { suites } from './lib/suites.mjs';

const at = process.argv.indexOf('--only');
const names = at > 0 ? (process.argv[at + 1] ?? '').split(',') : suites.map(({ name }) => name);

const { code } = await runSuites(names);
process.exitCode = code;
