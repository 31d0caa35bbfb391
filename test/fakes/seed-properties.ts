/** Vitest loads this before each test file: properties draw from the seed of this run, too. */
import fc from 'fast-check';
import { seed } from './test-run.ts';

fc.configureGlobal({ seed });
