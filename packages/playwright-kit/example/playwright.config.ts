import { defineConfig, devices } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  // They start a service from the folder of the built product.
  testIgnore: process.env['PRODUCT'] ? [] : 'own-installation.spec.ts',
  fullyParallel: true,
  workers: 4,
  // The first one removes tokens from what the others write.
  reporter: [
    ['conversation-service-playwright-kit/reporter'],
    ['list'],
    ['html', { open: 'never' }],
  ],
  use: devices['Desktop Chrome'],
});
