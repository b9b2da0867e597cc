import { defineConfig } from '@playwright/test';
import usual from '#playwright.config.ts';

/**
 * Makes the pictures of README.md and the guides: `npm run pictures`. No other run includes these
 * files.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.pictures.ts',
  outputDir: '../../test-results/pictures',
  workers: 1,
  retries: 0,
  // All pictures tell one story: if it fails, each of them would.
  maxFailures: 1,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: { ...usual.use, colorScheme: 'light' },
});
