import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  outputDir: '../../test-results/renderer',
  fullyParallel: false,
  workers: 1,
  // Only what never comes is waited for as long as this, however busy the machine is.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // A slow moment of a shared machine is reported as flaky, not as broken; a real break fails twice.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] },
  },
});
