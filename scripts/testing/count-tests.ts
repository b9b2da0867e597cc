// Lists each failed test in the reports of the runners, and then the total: "N passed, N failed"
// and, if any, ", N skipped".
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listFailures } from './list-failures.ts';
import type { Failure } from './list-failures.ts';
import type { TestReport } from './test-report.ts';

type Count = { passed: number; failed: number; skipped: number };

export const reportFolder = fileURLToPath(new URL('../../reports', import.meta.url));

/**
 * Prints the failures and the total of these reports; returns false if anything failed or nothing
 * ran.
 */
export function printTotal(names: string[]): boolean {
  const { lines, isGreen } = totalReports(
    names.map((name) => ({ name, text: readFileSync(`${reportFolder}/${name}`, 'utf8') })),
  );
  for (const line of lines) console.log(line);
  return isGreen;
}

/** The lines to print for these reports. An empty report means that its runner failed. */
export function totalReports(reports: { name: string; text: string }[]): {
  lines: string[];
  isGreen: boolean;
} {
  const all = reports.map(summarize);
  const lines = all.flatMap(({ failures }) =>
    failures.flatMap((failure) => [
      `✗ ${failure.name}`,
      ...failure.lines.map((line) => `    ${line}`),
    ]),
  );
  const total = (kind: keyof Count) => all.reduce((sum, { count }) => sum + count[kind], 0);
  const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
  lines.push(`${total('passed')} passed, ${total('failed')} failed${skipped}`);
  return { lines, isGreen: total('failed') === 0 && total('passed') > 0 };
}

/** Counts one report. A run that failed outside of any test counts as one failure. */
export function countReport(report: TestReport): Count {
  if ('stats' in report) {
    const { expected, unexpected, flaky, skipped } = report.stats;
    const broke = unexpected === 0 && report.errors.length > 0 ? 1 : 0;
    return { passed: expected, failed: unexpected + flaky + broke, skipped };
  }
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !report.success ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function summarize({ name, text }: { name: string; text: string }): {
  count: Count;
  failures: Failure[];
} {
  if (text === '') {
    const lines = ['The runner broke outside of every test. Its own output says how.'];
    return { count: { passed: 0, failed: 1, skipped: 0 }, failures: [{ name, lines }] };
  }
  const report = JSON.parse(text) as TestReport;
  return { count: countReport(report), failures: listFailures(report) };
}

if (import.meta.main) {
  const names = existsSync(reportFolder) ? readdirSync(reportFolder) : [];
  process.exitCode = printTotal(names) ? 0 : 1;
}
