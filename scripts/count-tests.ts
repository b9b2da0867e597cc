// Totals the reports that the runners wrote: "N passed, N failed" and, if any, ", N skipped".
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Count = { passed: number; failed: number; skipped: number };

type VitestReport = {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
};

type PlaywrightReport = {
  errors: unknown[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

export const reportFolder = fileURLToPath(new URL('../reports', import.meta.url));

/** Prints the closing line for these reports; false if anything failed or nothing ran. */
export function printTotal(names: string[]): boolean {
  const counts = names.map((name) => readReport(`${reportFolder}/${name}`));
  const total = (kind: keyof Count) => counts.reduce((sum, count) => sum + count[kind], 0);
  const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
  console.log(`${total('passed')} passed, ${total('failed')} failed${skipped}`);
  return total('failed') === 0 && total('passed') > 0;
}

/** Counts one report. A run that broke outside of any test counts as one failure. */
export function countReport(report: VitestReport | PlaywrightReport): Count {
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

function readReport(path: string): Count {
  const text = readFileSync(path, 'utf8');
  return text === ''
    ? { passed: 0, failed: 1, skipped: 0 }
    : countReport(JSON.parse(text) as VitestReport | PlaywrightReport);
}

if (import.meta.main) {
  const names = existsSync(reportFolder) ? readdirSync(reportFolder) : [];
  process.exitCode = printTotal(names) ? 0 : 1;
}
