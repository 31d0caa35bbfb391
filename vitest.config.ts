import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/{lint,scripts,conformance}/**/*.test.ts'],
          exclude: ['src/renderer/**'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'host',
          include: ['test/{host,faults}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
