import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/** The shell without a window needs half of the processor time that the whole browser needs. */
const executablePath =
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ?? '/usr/bin/chromium';

/** Each test has a host, a port and a browser context of its own, so that all of them can run at the same time. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  outputDir: '../../test-results/renderer',
  fullyParallel: true,
  workers: '100%',
  // Only what never comes is waited for as long as this, however busy the machine is.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  retries: 0,
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath, args: ['--no-sandbox'] },
  },
});
