import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/testing/longest-first.ts';

const installed = ['**/node_modules/**', '**/.next/**'];
const prepareDatabases = 'service/testing/databases/prepare-databases.ts';
/**
 * Tests create many short-lived objects: with a larger young generation, V8 copies fewer of them.
 */
const largeYoungGeneration = '--max-semi-space-size=64';
/**
 * Otherwise V8 compiles the WebAssembly of each embedded database that a test opens a second time,
 * with optimizations, which takes more processor time and memory than they save.
 */
const unoptimizedWebAssembly = '--liftoff-only';
const quickImports = new URL('service/boot/quick-imports.ts', import.meta.url).href;
const serviceFlags = [largeYoungGeneration, unoptimizedWebAssembly, '--import', quickImports];

export default defineConfig({
  resolve: {
    alias: {
      // What Next's own bundler does under the "react-server" condition.
      'server-only': fileURLToPath(new URL('node_modules/server-only/empty.js', import.meta.url)),
      // So that a test can call a server action in front of a service, without Next.
      'next/headers': fileURLToPath(new URL('lib/testing/fake-next-headers.ts', import.meta.url)),
    },
  },
  test: {
    setupFiles: ['scripts/testing/strict-test.ts'],
    pool: 'forks',
    // A third is hardly faster on two cores, and makes each test take longer.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // All files of a worker share their modules, so that these are loaded once: a test leaves no
    // state in a module.
    isolate: false,
    // Long enough for a busy machine: no test measures how fast the machine is.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    passWithNoTests: false,
    projects: [
      {
        // Everything outside of the service.
        extends: true,
        test: {
          name: 'pure',
          pool: 'threads',
          include: ['**/*.test.ts'],
          exclude: [...installed, 'service/**'],
        },
      },
      {
        // One project for all kinds of tests of the service, so that its modules are transformed
        // once, and loaded once by each worker.
        extends: true,
        test: {
          name: 'service',
          execArgv: serviceFlags,
          globalSetup: prepareDatabases,
          include: ['service/**/*.test.ts'],
          exclude: installed,
        },
      },
      {
        // What only repeats or takes minutes: `npm test` runs it only when it is named.
        extends: true,
        test: {
          name: 'soak',
          execArgv: serviceFlags,
          globalSetup: prepareDatabases,
          include: ['service/**/*.soak.ts'],
          exclude: installed,
        },
      },
    ],
  },
});
