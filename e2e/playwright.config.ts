import { defineConfig } from '@playwright/test';

/** With KENNEL_PICTURES=1 nothing is tested but that README and user guide get their pictures anew. */
const pictures = process.env.KENNEL_PICTURES === '1';
const pictureSpec = '**/pictures.spec.ts';

/** `app`: the test build in Electron; `package`: what electron-builder made of it. */
export default defineConfig({
  outputDir: '../test-results/e2e',
  // Each worker has a desktop of its own, and each test a data folder and a host of its own.
  fullyParallel: true,
  workers: '100%',
  timeout: 90_000,
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
