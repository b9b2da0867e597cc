// Lists each failed test in the reports of the runners, and then the total: "N passed, N failed"
// and, if any, ", N skipped".
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** The parts of Vitest's JSON report that are read here. */
type VitestReport = {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    /** The error of a file that failed outside of its tests. */
    message: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      failureMessages: string[];
    }[];
  }[];
};

/** The parts of Playwright's JSON report that are read here. */
type PlaywrightReport = {
  errors: PlaywrightError[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
};

type PlaywrightSuite = {
  title: string;
  specs: {
    title: string;
    file: string;
    tests: { status: string; results: { errors: PlaywrightError[] }[] }[];
  }[];
  suites?: PlaywrightSuite[];
};

type PlaywrightError = { message?: string; stack?: string; value?: string };

export type TestReport = VitestReport | PlaywrightReport;

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

/** A failed test, or a file or run that failed outside of its tests. */
type Failure = {
  /** File › group › test. */
  name: string;
  /** The first lines of the error. */
  lines: string[];
};

const maxLines = 8;
const maxCharacters = 300;
const root = fileURLToPath(new URL('../..', import.meta.url));
const outsideOfTests = '(outside of its tests)';

/** All failures in one report. */
function listFailures(report: TestReport): Failure[] {
  return 'stats' in report ? failuresOfPlaywright(report) : failuresOfVitest(report);
}

function failuresOfVitest({ testResults }: VitestReport): Failure[] {
  return testResults.flatMap((result) => {
    const file = relative(root, result.name);
    const failed = result.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ ancestorTitles, title, failureMessages }) =>
        // The outermost group is the file and has no name.
        toFailure([file, ...ancestorTitles, title], failureMessages),
      );
    const isBroken = result.message !== '' || (result.status === 'failed' && failed.length === 0);
    return isBroken ? [...failed, toFailure([file, outsideOfTests], [result.message])] : failed;
  });
}

function failuresOfPlaywright({ errors, suites }: PlaywrightReport): Failure[] {
  const broken = errors.map((error) => toFailure(['browser run', outsideOfTests], [textOf(error)]));
  return [...broken, ...suites.flatMap((file) => failuresOfSuite(file, []))];
}

function failuresOfSuite(suite: PlaywrightSuite, groups: string[]): Failure[] {
  const own = suite.specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) =>
        toFailure(
          [
            `e2e/${spec.file}`,
            ...groups,
            status === 'flaky' ? `${spec.title} (flaky)` : spec.title,
          ],
          results.flatMap(({ errors }) => errors.map(textOf)),
        ),
      ),
  );
  const nested = suite.suites ?? [];
  return [...own, ...nested.flatMap((each) => failuresOfSuite(each, [...groups, each.title]))];
}

function textOf({ stack, message, value }: PlaywrightError): string {
  return message ?? stack ?? value ?? '';
}

function toFailure(names: string[], texts: string[]): Failure {
  const lines = stripVTControlCharacters(texts.join('\n'))
    .split('\n')
    .map((line) => redact(line).trimEnd().slice(0, maxCharacters))
    .filter((line) => line !== '');
  return {
    name: redact(names.filter((name) => name !== '').join(' › ')),
    lines: lines.slice(0, maxLines),
  };
}

/** People who read CI logs must not see the tokens that tests create or get. */
function redact(text: string): string {
  return text.replaceAll(/\b(sk_live_|whsec_)[\w+/=-]+/g, '$1…');
}

if (import.meta.main) {
  const names = existsSync(reportFolder) ? readdirSync(reportFolder) : [];
  process.exitCode = printTotal(names) ? 0 : 1;
}
