import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { patienceMs } from './test/fakes/patience.ts';
import { seedList } from './test/fakes/test-run.ts';

interface Suite {
  readonly name: string;
  readonly folders: readonly string[];
  readonly setupFiles?: readonly string[];
  readonly options: {
    readonly isolate?: boolean;
    readonly env?: Readonly<Record<string, string>>;
    readonly testTimeout: number;
    readonly hookTimeout: number;
    readonly globalSetup?: string[];
    readonly maxWorkers?: number;
    readonly sequence?: { readonly groupOrder: number };
  };
}

const suites: readonly Suite[] = [
  {
    name: 'unit',
    folders: ['src', 'test/lint', 'test/scripts', 'test/conformance'],
    setupFiles: ['test/fakes/leave-as-found.ts'],
    // Without isolation, a worker loads each source once instead of once per test file, which halves CPU
    // time.
    options: {
      isolate: false,
      testTimeout: 90_000,
      hookTimeout: 90_000,
      // The compile cache loads sources of started programs in a third of the time.
      env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, '.cache/compiled') },
    },
  },
  {
    name: 'host',
    folders: ['test/host', 'test/faults'],
    options: {
      testTimeout: 120_000,
      hookTimeout: 120_000,
      globalSetup: ['test/fakes/template-folder.ts'],
      // These tests wait for processes a third of the time.
      maxWorkers: Math.ceil(availableParallelism() * 1.5),
      // Vitest requires another group for another number of workers.
      sequence: { groupOrder: 1 },
    },
  },
];

const common = (setupFiles: readonly string[]) => ({
  setupFiles: ['test/fakes/seed-properties.ts', ...setupFiles],
  retry: 0,
  unstubEnvs: true,
  // Long enough for any state; a state that never comes fails by its name, before the test's timeout.
  expect: { poll: { timeout: patienceMs } },
});

/**
 * A project per failed seed: a test file that failed with another seed runs with that one, too (`unit seed
 * 283638`).
 */
const projects = suites.flatMap(({ name, folders, setupFiles = [], options }): TestProjectConfiguration[] => [
  {
    test: {
      name,
      include: folders.map((folder) => `${folder}/**/*.test.ts`),
      ...common(setupFiles),
      ...options,
    },
  },
  ...seedList.failed
    .filter(({ file }) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .map(({ seed, file }) => ({
      test: {
        name: `${name} seed ${seed}`,
        include: [file],
        ...common(setupFiles),
        ...options,
        env: { ...options.env, KENNEL_SEED: String(seed), KENNEL_PROOF: '' },
      },
    })),
]);

/** Starts the fault tests first, because they take longest: no core is idle at the end. */
class FaultsFirst extends BaseSequencer {
  override async sort(...[files]: Parameters<BaseSequencer['sort']>): ReturnType<BaseSequencer['sort']> {
    const isFault = ({ moduleId }: { moduleId: string }): boolean => moduleId.includes('/test/faults/');
    return (await super.sort(files)).sort((one, other) => Number(isFault(other)) - Number(isFault(one)));
  }
}

/** By default Vitest leaves one core idle: on two cores it runs one file at a time. */
export default defineConfig({
  test: { projects, maxWorkers: availableParallelism(), sequence: { sequencer: FaultsFirst } },
});
