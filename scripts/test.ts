// `npm test` runs every suite this machine can; `npm test unit` (or e2e, servers) runs that one.
// With `-- --full` the tests that have a long form run it: they read TEST_FULL.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { obtainChromium } from './chromium.ts';
import { printTotal, reportFolder } from './count-tests.ts';
import { buildDashboardIfChanged } from './dashboard-build.ts';

const suites = { unit: runVitest, e2e: runPlaywright, servers: runVitest };
type Suite = keyof typeof suites;

const isSuite = (name: string): name is Suite => Object.hasOwn(suites, name);
const hasServers = Boolean(process.env['TEST_DATABASE_URL'] ?? process.env['TEST_REDIS_URL']);
const isFull = process.argv.includes('--full');
const named = process.argv.slice(2).filter((argument) => argument !== '--full');
const unknown = named.filter((name) => !isSuite(name));
if (unknown.length > 0) throw new Error(`no such suite: ${unknown.join(', ')}`);

const everything: Suite[] = ['unit', 'e2e', ...(hasServers ? (['servers'] as const) : [])];
const chosen = named.length > 0 ? named.filter(isSuite) : everything;

if (!process.env['KEEP_REPORTS']) rmSync(reportFolder, { recursive: true, force: true });
mkdirSync(reportFolder, { recursive: true });
for (const suite of chosen) {
  // A runner that dies before it reports leaves this empty file, which counts as a failure.
  writeFileSync(reportPath(suite), '');
  try {
    await suites[suite](suite);
  } catch (error) {
    console.error(error);
  }
}
process.exitCode = printTotal(chosen.map((suite) => `${suite}.json`)) ? 0 : 1;

function runVitest(suite: Suite): void {
  const json = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath(suite)}`];
  run('vitest/vitest.mjs', ['run', '--project', suite, ...json], { NODE_ENV: 'test' });
}

async function runPlaywright(): Promise<void> {
  if ((await buildDashboardIfChanged()) !== 0) return;
  const { executablePath, env } = await obtainChromium();
  const path = executablePath === undefined ? {} : { CHROMIUM_PATH: executablePath };
  run('@playwright/test/cli.js', ['test'], { ...env, ...path });
}

function run(program: string, args: string[], env: Record<string, string>): void {
  const path = fileURLToPath(new URL(`../node_modules/${program}`, import.meta.url));
  spawnSync(process.execPath, [path, ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, ...(isFull && { TEST_FULL: '1' }), ...env },
  });
}

function reportPath(suite: Suite): string {
  return `${reportFolder}/${suite}.json`;
}
