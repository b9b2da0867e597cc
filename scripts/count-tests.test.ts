import { expect, test } from 'vitest';
import { countReport } from './count-tests.ts';

const vitest = {
  success: true,
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
};

test('passed, failed and skipped tests are counted', () => {
  expect(countReport(vitest)).toEqual({ passed: 3, failed: 0, skipped: 2 });
});

test('a file that breaks outside of its tests is a failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [{ status: 'passed' }] }];
  expect(countReport({ ...vitest, success: false, testResults }).failed).toBe(1);
});

test('a run that breaks outside of every file is a failure', () => {
  expect(countReport({ ...vitest, success: false }).failed).toBe(1);
});

test('a flaky browser test is a failure', () => {
  const stats = { expected: 2, unexpected: 1, flaky: 1, skipped: 0 };
  expect(countReport({ errors: [], stats })).toEqual({ passed: 2, failed: 2, skipped: 0 });
});

test('a browser run that breaks outside of every test is a failure', () => {
  const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
  expect(countReport({ errors: [{}], stats }).failed).toBe(1);
});
