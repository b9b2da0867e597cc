import { expect, test } from 'vitest';

import { ApiError } from '../api/api-error.ts';
import type { ErrorCode } from '../contract/error-codes.ts';
import { rereadInterval } from './reread-interval.ts';

test.each<[string, unknown, number | false]>([
  ['what was read', null, 30_000],
  ['what could not be read for a while', apiError(503, 'UNAVAILABLE'), 30_000],
  ['what was refused for a minute', apiError(429, 'RATE_LIMIT_EXCEEDED', 60), 60_000],
  ['what was refused for a second', apiError(429, 'RATE_LIMIT_EXCEEDED', 1), 30_000],
  ['what the person may not see', apiError(403, 'FORBIDDEN'), false],
  ['what is gone', apiError(404, 'NOT_FOUND'), false],
  ['what needs a new session', apiError(401, 'UNAUTHORIZED'), false],
])('%s', (_, error, interval) => {
  expect(rereadInterval({ state: { error } })).toBe(interval);
});

function apiError(status: number, code: ErrorCode, retryAfter?: number): ApiError {
  return new ApiError({ status, code, message: 'Refused.', retryAfter });
}
