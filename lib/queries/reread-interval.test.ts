import { expect, test } from 'vitest';

import { ApiError } from '../api/api-error.ts';
import type { ErrorCode } from '../contract/error-codes.ts';
import { rereadInterval } from './reread-interval.ts';

test.each<[string, unknown, number | false]>([
  ['what was read', null, 30_000],
  ['what failed for a reason nobody knows', apiError(500, 'INTERNAL_ERROR'), 30_000],
  ['what the notice of an outage reads again', apiError(503, 'UNAVAILABLE'), false],
  ['what the notice of a rate limit reads again', apiError(429, 'RATE_LIMIT_EXCEEDED', 1), false],
  ['what the person may not see', apiError(403, 'FORBIDDEN'), false],
  ['what is gone', apiError(404, 'NOT_FOUND'), false],
  ['what needs a new session', apiError(401, 'UNAUTHORIZED'), false],
])('%s', (_, error, interval) => {
  expect(rereadInterval({ state: { error } })).toBe(interval);
});

function apiError(status: number, code: ErrorCode, retryAfter?: number): ApiError {
  return new ApiError({ status, code, message: 'Refused.', retryAfter });
}
