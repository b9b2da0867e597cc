import { defineConfig } from '@playwright/test';
import type { EngineName } from './engines.ts';

export default defineConfig<object, { engine: EngineName }>({
  testDir: 'journeys',
  testMatch: '**/*.journey.ts',
  outputDir: '../../test-results/browsers',
  workers: 1,
  retries: 0,
  // Firefox takes half a second to find an element by its role and name.
  timeout: 240_000,
  projects: [
    { name: 'firefox', use: { engine: 'firefox' } },
    { name: 'webkit', use: { engine: 'webkit' } },
  ],
  reporter: [['list'], ['json', { outputFile: '../../reports/browsers.json' }]],
});
