import { defineConfig, devices } from '@playwright/test';
import { chromiumArguments } from './scripts/browser/chromium-arguments.ts';

/** Tests that start a server of their own, or more than one. */
const ownServer = ['own-server/**/*.spec.ts', 'journeys/first-setup-journey.spec.ts'];
const executablePath = process.env['CHROMIUM_PATH'];

export default defineConfig({
  testDir: 'e2e',
  // Not `*.test.ts`, which test helpers of this suite with Vitest and need no browser.
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // Several times what the longest test takes on a machine with nothing else to do.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  // Tests that wait for a server of their own come first. If they came last, one worker would have
  // nothing to do in the meantime.
  projects: [
    { name: 'own server', testMatch: ownServer },
    { name: 'shared server', testIgnore: ownServer },
  ],
  reporter: [['list'], ['json', { outputFile: 'reports/e2e.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    // Less than the time of a test, so that the report says which action could not be carried out.
    actionTimeout: 30_000,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Faster and more stable. keyboard.spec.ts runs with all motion.
    contextOptions: { reducedMotion: 'reduce' },
    // Registering one takes time in each context. operator-commands-and-restart.spec.ts allows it.
    serviceWorkers: 'block',
    // They would show secrets. e2e/fixtures.ts takes a picture of pages that show none.
    trace: 'off',
    video: 'off',
    screenshot: 'off',
    launchOptions: {
      args: chromiumArguments,
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  },
});
