/** `npm run check`: checks to run before a commit; needs no window and no network. */
import { runSuites } from './lib/run-suites.mjs';
import { checkSuites } from './lib/suites.mjs';

const { code } = await runSuites(checkSuites);
process.exitCode = code;
