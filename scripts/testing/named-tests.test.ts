import { expect, test } from 'vitest';
import { findMissingTests, findNamedTests } from './named-tests.ts';
import type { TestReport } from './test-report.ts';

const report = {
  testResults: [
    {
      name: '/root/a.test.ts',
      assertionResults: [{ ancestorTitles: ['', 'a key', 'with no scopes'], title: 'is refused' }],
    },
  ],
} as unknown as TestReport;
const browserReport = {
  stats: {},
  suites: [
    {
      title: 'b.spec.ts',
      specs: [{ title: 'signs in', file: 'b.spec.ts' }],
      suites: [{ title: 'support', specs: [{ title: 'looks', file: 'b.spec.ts' }] }],
    },
  ],
} as unknown as TestReport;

function missing(document: string): string[] {
  const found = findMissingTests(findNamedTests(document), [report, browserReport], '/root/');
  return found.map(({ titles }) => titles.join(' › '));
}

test('documents name tests in lists and in tables', () => {
  expect(findNamedTests('- `a.test.ts`: a key › is refused\n| `b.spec.ts` › "signs in" |')).toEqual(
    [
      { file: 'a.test.ts', titles: ['a key', 'is refused'] },
      { file: 'b.spec.ts', titles: ['signs in'] },
    ],
  );
});

test('a list names several tests of a file below it, and can name their group once', () => {
  const list = '- `a.test.ts`:\n  - a key › is refused\n  - ends\n- `b.test.ts`: a key ›\n  - ends';
  expect(findNamedTests(list)).toEqual([
    { file: 'a.test.ts', titles: ['a key', 'is refused'] },
    { file: 'a.test.ts', titles: ['ends'] },
    { file: 'b.test.ts', titles: ['a key', 'ends'] },
  ]);
});

test('a test or a group is found by its titles, and outer titles may be left out', () => {
  const found = ['a key', 'is refused', 'with no scopes › is refused', 'a key › with no scopes'];
  for (const titles of found) expect(missing(`- \`a.test.ts\`: ${titles}`), titles).toEqual([]);
  for (const titles of ['signs in', 'support › looks', 'looks']) {
    expect(missing(`- \`e2e/b.spec.ts\`: ${titles}`), titles).toEqual([]);
  }
});

test('a test that did not run under this name, or not in this file, is missing', () => {
  for (const titles of ['key', 'a key › is refused', 'is refused › a key']) {
    expect(missing(`- \`a.test.ts\`: ${titles}`)).toEqual([titles]);
  }
  expect(missing('- `b.test.ts`: a key')).toEqual(['a key']);
});
