import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/{lint,scripts,conformance}/**/*.test.ts'],
          testTimeout: 20_000,
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        test: {
          name: 'host',
          // Real processes on a shared machine; a real break fails twice.
          retry: process.env.CI ? 1 : 0,
          include: ['test/{host,faults}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
