import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { countReport, totalReports } from './count-tests.ts';

const vitest = {
  success: true,
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [fileWith({ status: 'passed' })],
};

const playwright = {
  errors: [],
  stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 },
  suites: [],
};

function fileWith(
  { status, message = '' }: { status: string; message?: string },
  ...tests: { title: string; status: string; failureMessages: string[] }[]
) {
  const name = fileURLToPath(new URL('../../service/log/log.test.ts', import.meta.url));
  const assertionResults = tests.map((result) => ({ ancestorTitles: ['', 'a log'], ...result }));
  return { name, status, message, assertionResults };
}

test('passed, failed and skipped tests are counted', () => {
  expect(countReport(vitest)).toEqual({ passed: 3, failed: 0, skipped: 2 });
});

test('a file that fails outside of its tests is a failure', () => {
  const testResults = [fileWith({ status: 'failed', message: 'no such module' })];
  expect(countReport({ ...vitest, success: false, testResults }).failed).toBe(1);
});

test('a run that fails outside of every file is a failure', () => {
  expect(countReport({ ...vitest, success: false }).failed).toBe(1);
});

test('a flaky browser test is a failure', () => {
  const stats = { expected: 2, unexpected: 1, flaky: 1, skipped: 0 };
  expect(countReport({ ...playwright, stats })).toEqual({ passed: 2, failed: 2, skipped: 0 });
});

test('a browser run that fails outside of every test is a failure', () => {
  const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
  expect(countReport({ ...playwright, errors: [{}], stats }).failed).toBe(1);
});

function printed(...reports: object[]): string[] {
  const written = reports.map((report) => ({ name: 'x.json', text: JSON.stringify(report) }));
  return totalReports(written).lines;
}

test('failures are listed with the first lines of their errors, above the total', () => {
  const failureMessages = [`AssertionError: expected 1 to be 2\n${'    at x\n'.repeat(20)}`];
  const failed = { title: 'writes', status: 'failed', failureMessages };
  const passed = { title: 'reads', status: 'passed', failureMessages: [] };
  const testResults = [fileWith({ status: 'failed' }, passed, failed)];
  const lines = printed({ ...vitest, success: false, numFailedTests: 1, testResults });
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('✗ service/log/log.test.ts › a log › writes');
  expect(lines[1]).toBe('    AssertionError: expected 1 to be 2');
  expect(lines.at(-1)).toBe('3 passed, 1 failed, 2 skipped');
});

test('a failed file is listed with its error, beside its failed tests', () => {
  const failed = { title: 'writes', status: 'failed', failureMessages: ['wrong'] };
  const testResults = [fileWith({ status: 'failed', message: 'left open' }, failed)];
  expect(printed({ ...vitest, success: false, numFailedTests: 1, testResults })).toEqual([
    '✗ service/log/log.test.ts › a log › writes',
    '    wrong',
    '✗ service/log/log.test.ts › (outside of its tests)',
    '    left open',
    '3 passed, 1 failed, 2 skipped',
  ]);
});

test('failed browser tests and browser runs are listed, without colors', () => {
  const results = [
    { errors: [{ message: '\u001B[31mError\u001B[39m: no button', stack: 'at x' }] },
  ];
  const specs = [
    { title: 'opens', file: 'keys.spec.ts', tests: [{ status: 'expected', results: [] }] },
    { title: 'closes', file: 'keys.spec.ts', tests: [{ status: 'unexpected', results }] },
  ];
  const suites = [
    { title: 'keys.spec.ts', specs: [], suites: [{ title: 'a dialog', specs, suites: [] }] },
  ];
  const stats = { ...playwright.stats, unexpected: 1 };
  const errors = [{ message: 'no server' }];
  expect(printed({ ...playwright, errors, stats, suites })).toEqual([
    '✗ browser run › (outside of its tests)',
    '    no server',
    '✗ e2e/keys.spec.ts › a dialog › closes',
    '    Error: no button',
    '2 passed, 1 failed',
  ]);
});

test('tokens and signing secrets are removed from the output', () => {
  const token = `sk_live_${'a1'.repeat(19)}`;
  const secret = `whsec_${'b2+/'.repeat(10)}=`;
  const failureMessages = [`got "${token}", wanted "${secret}"`];
  const failed = { title: `opens with ${token}`, status: 'failed', failureMessages };
  const testResults = [fileWith({ status: 'failed' }, failed)];
  const lines = printed({ ...vitest, success: false, numFailedTests: 1, testResults });
  expect(lines.slice(0, 2)).toEqual([
    '✗ service/log/log.test.ts › a log › opens with sk_live_…',
    '    got "sk_live_…", wanted "whsec_…"',
  ]);
});

test('a runner that left no report is listed as a failure', () => {
  const { lines, isGreen } = totalReports([
    { name: 'unit.json', text: JSON.stringify(vitest) },
    { name: 'e2e.json', text: '' },
  ]);
  expect(isGreen).toBe(false);
  expect(lines).toEqual([
    '✗ e2e.json',
    '    The runner broke outside of every test. Its own output says how.',
    '3 passed, 1 failed, 2 skipped',
  ]);
});
