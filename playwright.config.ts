import { defineConfig, devices } from '@playwright/test';
import { chromiumArguments } from './scripts/browser/chromium-arguments.ts';

/** Tests that start a server apart, or more than one. */
const ownServer = ['own-server/**/*.spec.ts', 'journeys/first-setup-journey.spec.ts'];
const executablePath = process.env['CHROMIUM_PATH'];

export default defineConfig({
  testDir: 'e2e',
  // Beside them stand tests of the suite's own parts, which need no browser.
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // First those that wait for a server of their own: at the end, one worker would have nothing
  // else.
  projects: [
    { name: 'own server', testMatch: ownServer },
    { name: 'shared server', testIgnore: ownServer },
  ],
  reporter: [['list'], ['json', { outputFile: 'reports/e2e.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    // Not the test's own time: then the report says what stood in the way.
    actionTimeout: 30_000,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Quicker and steadier; keyboard.spec.ts goes its way with all motion.
    contextOptions: { reducedMotion: 'reduce' },
    // Pages need none, and each costs its context time; operator-commands-and-restart.spec.ts allows
    // it.
    serviceWorkers: 'block',
    // They would show secrets. The guard in e2e/fixtures.ts takes a picture where none is in sight.
    trace: 'off',
    video: 'off',
    screenshot: 'off',
    launchOptions: {
      args: chromiumArguments,
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  },
});
