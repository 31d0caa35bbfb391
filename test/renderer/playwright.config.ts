import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/** The headless shell needs half the CPU time of the whole browser. */
const executablePath =
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ?? '/usr/bin/chromium';

/** Each test has a host, a port and a browser context of its own, so that all of them can run in parallel. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  outputDir: '../../test-results/renderer',
  fullyParallel: true,
  workers: '100%',
  // Long enough for a busy machine; only a failing test waits for all of it.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  retries: 0,
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath, args: ['--no-sandbox'] },
  },
});
