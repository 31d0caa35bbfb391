/** Vitest setup file: property tests use the seed of this run, too. */
import fc from 'fast-check';
import { seed } from './test-run.ts';

fc.configureGlobal({ seed });
