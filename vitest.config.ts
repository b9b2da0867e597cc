import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const serverSuites = '**/*.{postgres,redis}.test.ts';
const installed = ['**/node_modules/**', '**/.next/**'];

export default defineConfig({
  resolve: {
    alias: {
      // What Next's own bundler does under the "react-server" condition.
      'server-only': fileURLToPath(new URL('node_modules/server-only/empty.js', import.meta.url)),
    },
  },
  test: {
    setupFiles: ['scripts/testing/strict-test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    unstubEnvs: true,
    passWithNoTests: false,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['**/*.test.ts'], exclude: [...installed, serverSuites] },
      },
      {
        // Needs TEST_DATABASE_URL and TEST_REDIS_URL: scripts/test.ts leaves it out without them.
        extends: true,
        test: { name: 'servers', include: [serverSuites], exclude: installed },
      },
    ],
  },
});
