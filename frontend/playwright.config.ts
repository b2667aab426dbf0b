import { defineConfig } from '@playwright/test';

// Two shells, one host: "web" drives Chromium against `lineup web`, "window" the
// real Wails window under Xvfb through a driver that only a test build has.
export default defineConfig({
  testDir: 'e2e',
  outputDir: '../artifacts/test-results',
  reporter: [['list']],
  timeout: 120_000,
  use: { actionTimeout: 15_000 },
  expect: { timeout: 20_000 },
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  projects: [
    { name: 'web', testMatch: /\.(web|both)\.spec\.ts$/ },
    { name: 'bench-web', testMatch: /\.bench\.ts$/ },
    { name: 'bench-window', testMatch: /\.bench\.ts$/ },
    { name: 'window', testMatch: /\.(window|both)\.spec\.ts$/ },
  ],
});
