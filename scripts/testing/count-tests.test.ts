import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { totalReports } from './count-tests.ts';

const name = fileURLToPath(new URL('../../service/log/log.test.ts', import.meta.url));
const vitest = {
  success: true,
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ name, status: 'passed', message: '', assertionResults: [] as object[] }],
};
const playwright = {
  errors: [] as object[],
  stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 },
  suites: [] as object[],
};

const token = `sk_live_${'a1'.repeat(19)}`;
const secret = `whsec_${'b2+/'.repeat(10)}=`;
const failed = {
  ancestorTitles: ['', 'a log'],
  title: `writes ${token}`,
  status: 'failed',
  failureMessages: [`wanted "${secret}"`],
};
const flaky = {
  title: 'closes',
  file: 'keys.spec.ts',
  tests: [{ status: 'flaky', results: [{ errors: [{ message: '\u001B[31mno button' }] }] }],
};

test.each<[what: string, report: object | null, lines: string[]]>([
  [
    'a failed test, with its error and without tokens and secrets',
    {
      ...vitest,
      success: false,
      numFailedTests: 1,
      testResults: [{ ...vitest.testResults[0], status: 'failed', assertionResults: [failed] }],
    },
    [
      '✗ service/log/log.test.ts › a log › writes sk_live_…',
      '    wanted "whsec_…"',
      '3 passed, 1 failed, 2 skipped',
    ],
  ],
  [
    'a file that fails outside of its tests',
    {
      ...vitest,
      success: false,
      testResults: [{ ...vitest.testResults[0], status: 'failed', message: 'no such module' }],
    },
    [
      '✗ service/log/log.test.ts › (outside of its tests)',
      '    no such module',
      '3 passed, 1 failed, 2 skipped',
    ],
  ],
  [
    'a run that fails outside of every file',
    { ...vitest, success: false },
    ['3 passed, 1 failed, 2 skipped'],
  ],
  [
    'a flaky browser test',
    {
      ...playwright,
      stats: { ...playwright.stats, flaky: 1 },
      suites: [{ title: 'keys.spec.ts', specs: [flaky] }],
    },
    ['✗ e2e/keys.spec.ts › closes (flaky)', '    no button', '2 passed, 1 failed'],
  ],
  [
    'a browser run that fails outside of every test',
    { ...playwright, errors: [{ message: 'no server' }] },
    ['✗ browser run › (outside of its tests)', '    no server', '2 passed, 1 failed'],
  ],
  [
    'a runner that left no report',
    null,
    [
      '✗ x.json',
      '    The runner broke outside of every test. Its own output says how.',
      '0 passed, 1 failed',
    ],
  ],
])('%s is a failure', (_what, report, lines) => {
  const text = report ? JSON.stringify(report) : '';
  expect(totalReports([{ name: 'x.json', text }])).toEqual({ lines, isGreen: false });
});
