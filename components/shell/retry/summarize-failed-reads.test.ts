import { expect, test } from 'vitest';
import type { FailedRead } from './failed-reads.tsx';
import { summarizeFailedReads } from './summarize-failed-reads.ts';

const failed = (change: Partial<FailedRead>): FailedRead => ({
  failedAt: 0,
  rateLimitSeconds: null,
  readAgain: () => Promise.resolve(),
  ...change,
});

test('without a failed read there is no summary', () => {
  expect(summarizeFailedReads([])).toBeNull();
});

test('an outage is tried again five seconds after the last failure', () => {
  expect(summarizeFailedReads([failed({ failedAt: 1000 }), failed({ failedAt: 3000 })])).toEqual({
    title: 'The service cannot be reached',
    isRateLimited: false,
    retryAt: 8000,
    shownSince: null,
    requestId: undefined,
  });
});

test('nothing is tried again before the longest rate limit has ended', () => {
  const failedReads = [
    failed({ failedAt: 9000 }),
    failed({ failedAt: 1000, rateLimitSeconds: 60 }),
    failed({ failedAt: 2000, rateLimitSeconds: 10 }),
  ];
  expect(summarizeFailedReads(failedReads)).toMatchObject({
    title: 'Too many requests',
    isRateLimited: true,
    retryAt: 61_000,
  });
});

test('the time of the data that is still shown is that of its oldest part', () => {
  const failedReads = [failed({ shownSince: 500 }), failed({}), failed({ shownSince: 200 })];
  expect(summarizeFailedReads(failedReads)).toMatchObject({ shownSince: 200 });
});
