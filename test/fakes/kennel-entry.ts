/** The command line that tests start: the built one while it is fresh, because it starts four times as fast, else the source. */
import { fileURLToPath } from 'node:url';
import { isStale } from '../../scripts/lib/bundle-state.mjs';

const entry = isStale('cli', 'product') ? 'src/cli/kennel.ts' : 'dist/cli/kennel.js';

export const kennelEntry = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
