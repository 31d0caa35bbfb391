/**
 * CLI entry point for tests: the built one if it is fresh, because it starts four times as fast; otherwise
 * the source.
 */
import { fileURLToPath } from 'node:url';
import { isStale } from '../../scripts/lib/bundle-state.mjs';

const entry = isStale('cli', 'product') ? 'src/cli/kennel.ts' : 'dist/cli/kennel.js';

export const kennelEntry = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
