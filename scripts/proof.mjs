/** `npm run proof`: the randomised suites in full length, where `npm test` takes seeded samples. Hours, not minutes. */
import { runSuites } from './lib/run-suites.mjs';
import { proofSuites } from './lib/suites.mjs';

process.env.KENNEL_PROOF = '1';
process.exitCode = await runSuites(proofSuites);
