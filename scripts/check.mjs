/** `npm run check`: what to run before a commit; no window, no network. */
import { runSuites } from './lib/run-suites.mjs';
import { checkSuites } from './lib/suites.mjs';

const { code } = await runSuites(checkSuites);
process.exitCode = code;
