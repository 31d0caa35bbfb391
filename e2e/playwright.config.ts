import { defineConfig } from '@playwright/test';

/** KENNEL_PICTURES=1 runs no tests and only takes the screenshots for README and user guide. */
const pictures = process.env.KENNEL_PICTURES === '1';
const pictureSpec = '**/pictures.spec.ts';

/** `app`: the test build in Electron; `package`: the output of electron-builder. */
export default defineConfig({
  outputDir: '../test-results/e2e',
  // Each worker has its own desktop, and each test its own data folder and host.
  fullyParallel: true,
  workers: '100%',
  // Long enough for a busy machine; only a failing test waits for all of it.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  retries: 0,
  reporter: [['list']],
  projects: [
    {
      name: 'app',
      testDir: './app',
      ...(pictures ? { testMatch: pictureSpec } : { testIgnore: pictureSpec }),
    },
    { name: 'package', testDir: './package' },
  ],
});
