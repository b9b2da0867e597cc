// `npm test` runs every suite this machine can; `npm test unit` (or e2e, servers) runs that one.
// With `-- --full` the tests that have a long form run it: they read TEST_FULL.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { obtainChromium } from './chromium.ts';
import { countReport, printTotal, reportFolder } from './count-tests.ts';
import { buildDashboardIfChanged } from './dashboard-build.ts';
import type { TestReport } from './test-report.ts';

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
  rmSync(reportPath(`${suite}-runner`), { force: true });
  try {
    const status = await suites[suite](suite);
    // Vitest does not report an error that nobody caught after its test had ended.
    if (status !== 0 && !hasFailure(suite)) writeFileSync(reportPath(`${suite}-runner`), '');
  } catch (error) {
    console.error(error);
  }
}
const reports = readdirSync(reportFolder).filter((file) =>
  chosen.some((suite) => file === `${suite}.json` || file === `${suite}-runner.json`),
);
process.exitCode = printTotal(reports) ? 0 : 1;

function hasFailure(suite: Suite): boolean {
  const text = readFileSync(reportPath(suite), 'utf8');
  return text === '' || countReport(JSON.parse(text) as TestReport).failed > 0;
}

function runVitest(suite: Suite): number | null {
  const json = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath(suite)}`];
  return run('vitest/vitest.mjs', ['run', '--project', suite, ...json], { NODE_ENV: 'test' });
}

async function runPlaywright(): Promise<number | null> {
  const built = await buildDashboardIfChanged();
  if (built !== 0) return built;
  const { executablePath, env } = await obtainChromium();
  const path = executablePath === undefined ? {} : { CHROMIUM_PATH: executablePath };
  return run('@playwright/test/cli.js', ['test'], { ...env, ...path });
}

function run(program: string, args: string[], env: Record<string, string>): number | null {
  const path = fileURLToPath(new URL(`../node_modules/${program}`, import.meta.url));
  const { status } = spawnSync(process.execPath, [path, ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, ...(isFull && { TEST_FULL: '1' }), ...env },
  });
  return status;
}

function reportPath(name: string): string {
  return `${reportFolder}/${name}.json`;
}
