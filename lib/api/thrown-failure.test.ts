import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { thrownFailureOf } from './thrown-failure.ts';

/**
 * An error of the server as it arrives in the browser: only the digest of what was thrown is left.
 */
function arrived(digest: string): Error {
  return Object.assign(new Error('An error occurred in the Server Components render.'), { digest });
}

test('an error page learns how long a rate limit lasts, and which request was refused', () => {
  const { digest } = new ApiError({
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many requests. Please slow down.',
    requestId: 'req-1',
    retryAfter: 47,
  });
  expect(thrownFailureOf(arrived(digest))).toEqual({
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many requests. Please slow down.',
    requestId: 'req-1',
    retryAfter: 47,
  });
});

test('an error about a service that could not be reached has no request id', () => {
  const { digest } = new ApiError({ status: 503, code: 'UNAVAILABLE', message: 'Away.' });
  expect(thrownFailureOf(arrived(digest))).toMatchObject({
    code: 'UNAVAILABLE',
    requestId: undefined,
    retryAfter: undefined,
  });
});

test('an error that is not the service’s is found in the log by its digest', () => {
  expect(thrownFailureOf(arrived('2783645'))).toMatchObject({
    code: 'INTERNAL_ERROR',
    requestId: '2783645',
  });
});
