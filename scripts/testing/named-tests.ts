import type { PlaywrightSuite, TestReport } from './test-report.ts';

export type NamedTest = {
  /** Relative to the repository's root. */
  file: string;
  /**
   * The title of the test or group, after the titles of its outer groups, which may be left out.
   */
  titles: string[];
};

/**
 * Finds the tests that a document names: in lists "- `file`: group › test", or for several tests of
 * a file "- `file`:" or "- `file`: group ›" with a line "  - test" for each; in tables "`file` ›
 * "group › test"".
 */
export function findNamedTests(document: string): NamedTest[] {
  const lists = document.matchAll(/^- `([^`]+\.(?:test|spec)\.ts)`:(.*)((?:\n {2}- .+)*)$/gm);
  const tables = document.matchAll(/`([^`]+)` › "([^"]+)"/g);
  return [
    ...[...lists].flatMap(([, file = '', rest = '', lines = '']) =>
      titlesInList(rest.trim(), lines).map((titles) => ({ file, titles })),
    ),
    ...[...tables].map(([, file = '', path = '']) => ({ file, titles: path.split(' › ') })),
  ];
}

function titlesInList(rest: string, lines: string): string[][] {
  const tests = lines.split('\n  - ').slice(1);
  if (tests.length === 0) return [rest.split(' › ')];
  const groups = rest === '' ? [] : rest.replace(/ ›$/, '').split(' › ');
  return tests.map((test) => [...groups, ...test.split(' › ')]);
}

/** The named tests that are in none of these reports. */
export function findMissingTests(
  named: readonly NamedTest[],
  reports: readonly TestReport[],
  root: string,
): NamedTest[] {
  const byFile = new Map<string, string[][]>();
  for (const { file, titles } of reports.flatMap((report) => testsIn(report, root))) {
    byFile.set(file, [...(byFile.get(file) ?? []), titles]);
  }
  return named.filter(
    ({ file, titles }) => !byFile.get(file)?.some((path) => isPartOf(titles, path)),
  );
}

function isPartOf(titles: readonly string[], path: readonly string[]): boolean {
  return path.some((_, start) => titles.every((title, index) => path[start + index] === title));
}

function testsIn(report: TestReport, root: string): NamedTest[] {
  if ('stats' in report) return report.suites.flatMap((suite) => specsIn(suite, []));
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title }) => ({
      file: name.startsWith(root) ? name.slice(root.length) : name,
      titles: [...ancestorTitles, title],
    })),
  );
}

function specsIn({ specs, suites = [] }: PlaywrightSuite, groups: readonly string[]): NamedTest[] {
  const own = specs.map(({ file, title }) => ({
    file: `e2e/${file}`,
    titles: [...groups, title],
  }));
  return [...own, ...suites.flatMap((suite) => specsIn(suite, [...groups, suite.title]))];
}
