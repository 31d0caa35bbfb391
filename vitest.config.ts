import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { seedList } from './test/fakes/test-run.ts';

interface Suite {
  readonly name: string;
  readonly folders: readonly string[];
  readonly limits: {
    readonly testTimeout: number;
    readonly hookTimeout?: number;
    readonly globalSetup?: string[];
  };
}

const suites: readonly Suite[] = [
  {
    name: 'unit',
    folders: ['src', 'test/lint', 'test/scripts', 'test/conformance'],
    limits: { testTimeout: 20_000 },
  },
  {
    name: 'host',
    folders: ['test/host', 'test/faults'],
    limits: { testTimeout: 120_000, hookTimeout: 60_000, globalSetup: ['test/fakes/template-folder.ts'] },
  },
];

const setupFiles = ['test/fakes/seed-properties.ts'];

/** A test file that failed with another seed runs with that one, too: `unit seed 283638`. */
const projects = suites.flatMap(({ name, folders, limits }): TestProjectConfiguration[] => [
  {
    test: {
      name,
      include: folders.map((folder) => `${folder}/**/*.test.ts`),
      ...{ setupFiles, retry: 0, ...limits },
    },
  },
  ...seedList.failed
    .filter(({ file }) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .map(({ seed, file }) => ({
      test: {
        name: `${name} seed ${seed}`,
        include: [file],
        env: { KENNEL_SEED: String(seed), KENNEL_PROOF: '' },
        ...{ setupFiles, retry: 0, ...limits },
      },
    })),
]);

/** Vitest alone would leave one core idle: on two cores it runs one file at a time. */
export default defineConfig({ test: { projects, maxWorkers: availableParallelism() } });
