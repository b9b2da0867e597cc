import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type {
  PlaywrightError,
  PlaywrightReport,
  PlaywrightSuite,
  TestReport,
  VitestReport,
} from './test-report.ts';

/** A failed test, or a file or run that failed outside of its tests. */
export type Failure = {
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
export function listFailures(report: TestReport): Failure[] {
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
