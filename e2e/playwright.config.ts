import { defineConfig } from '@playwright/test';

/** `app`: the test build in Electron; `package`: what electron-builder made of it. Both want a desktop (scripts/desktop-session.sh). */
export default defineConfig({
  outputDir: '../test-results/e2e',
  workers: 1,
  timeout: 90_000,
  // A slow moment of a shared machine is reported as flaky, not as broken; a real break fails twice.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  projects: [
    { name: 'app', testDir: './app' },
    { name: 'package', testDir: './package' },
  ],
});
