import { expect, test } from 'vitest';

import { ApiError } from '../api/api-error.ts';
import type { ErrorCode } from '../contract/error-codes.ts';
import { pageRefetchInterval, refetchDelay } from './refetch-interval.ts';

const outage = apiError(503, 'UNAVAILABLE');
const limit = apiError(429, 'RATE_LIMIT_EXCEEDED', 60);

test.each<[string, unknown, number | false]>([
  ['what was read', null, 30_000],
  ['what failed for a reason nobody knows', apiError(500, 'INTERNAL_ERROR'), 30_000],
  ['what an outage keeps from being read', outage, 30_000],
  ['what a rate limit keeps from being read, after the limit', limit, 90_000],
  ['what the person may not see', apiError(403, 'FORBIDDEN'), false],
  ['what is gone', apiError(404, 'NOT_FOUND'), false],
  ['what needs a new session', apiError(401, 'UNAUTHORIZED'), false],
])('%s', (_, error, interval) => {
  expect(pageRefetchInterval({ state: { error } })).toBe(interval);
});

test.each<[string, unknown, number | false]>([
  ['goes on as usual', null, 1000],
  ['slows down in an outage', outage, 30_000],
  ['waits until a rate limit is over', limit, 90_000],
  ['ends once it is forbidden', apiError(403, 'FORBIDDEN'), false],
])('data that is read each second %s', (_, error, pause) => {
  expect(refetchDelay(error, 1000)).toBe(pause);
});

function apiError(status: number, code: ErrorCode, retryAfter?: number): ApiError {
  return new ApiError({ status, code, message: 'Refused.', retryAfter });
}
