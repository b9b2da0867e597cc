// `npm test` runs every suite that this machine can run. `npm test unit` (or e2e, servers, …) runs
// that suite, and `npm test -- webhooks` the tests with that word in their path.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { environmentOf, obtainChromium } from './browser/chromium.ts';
import { buildKitIfChanged } from './testing/build-kit.ts';
import { chooseTests, serversOf } from './testing/choose-tests.ts';
import type { TestRun } from './testing/choose-tests.ts';
import { countReport, printTotal, reportFolder } from './testing/count-tests.ts';
import type { TestReport } from './testing/count-tests.ts';
import { buildDashboardIfChanged } from './dashboard/dashboard-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const runs = chooseTests(process.argv.slice(2), {
  files: globSync('**/*.{test,soak,spec}.ts', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/.next/**', 'test-results/**', 'packages/*/example/**'],
  }),
  servers: serversOf(process.env),
});

const runners = { vitest: runVitest, playwright: runPlaywright };

if (!process.env['KEEP_REPORTS']) rmSync(reportFolder, { recursive: true, force: true });
mkdirSync(reportFolder, { recursive: true });
const building = runs.some(({ runner }) => runner === 'playwright') ? buildBesideTests() : null;
// One after the other: concurrent runs are hardly faster in total, and each test is slower.
for (const chosen of runs) await runSuite(chosen);
const reports = readdirSync(reportFolder).filter((file) =>
  runs.some(({ name }) => file === `${name}.json` || file === `${name}-runner.json`),
);
process.exitCode = printTotal(reports) ? 0 : 1;

async function runSuite(chosen: TestRun): Promise<void> {
  // If a runner dies before its report, this empty file remains and counts as a failure.
  writeFileSync(reportPath(chosen.name), '');
  rmSync(reportPath(`${chosen.name}-runner`), { force: true });
  try {
    const status = await runners[chosen.runner](chosen);
    // Vitest does not report uncaught errors that occur after their test has ended.
    if (status !== 0 && !hasFailure(chosen.name)) {
      writeFileSync(reportPath(`${chosen.name}-runner`), '');
    }
  } catch (error) {
    console.error(error);
  }
}

function hasFailure(name: string): boolean {
  const text = readFileSync(reportPath(name), 'utf8');
  return text === '' || countReport(JSON.parse(text) as TestReport).failed > 0;
}

async function runVitest({ name, files }: TestRun): Promise<number | null> {
  const json = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath(name)}`];
  return await run('vitest/vitest.mjs', ['run', ...json, ...files], {
    NODE_ENV: 'test',
  });
}

async function runPlaywright({ files, isWhole }: TestRun): Promise<number | null> {
  const build = await building;
  if (build) for (const line of build.lines) console.log(line);
  if (build?.status !== 0) return build?.status ?? 1;
  buildKitIfChanged();
  const env = environmentOf(await obtainChromium());
  return await run('@playwright/test/cli.js', ['test', ...(isWhole ? [] : files)], env);
}

/**
 * Builds the dashboard for the browser tests while earlier tests run, since these often wait.
 * Returns the output of the build, so that it does not mix with the output of the tests.
 */
async function buildBesideTests(): Promise<{ status: number; lines: string[] }> {
  const lines: string[] = [];
  try {
    const status = await buildDashboardIfChanged((line) => void lines.push(line));
    return { status, lines: status === 0 ? lines.slice(0, 1) : lines };
  } catch (error) {
    return { status: 1, lines: [...lines, String(error)] };
  }
}

async function run(
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<number | null> {
  const path = fileURLToPath(new URL(`../node_modules/${program}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return status;
}

function reportPath(name: string): string {
  return `${reportFolder}/${name}.json`;
}
