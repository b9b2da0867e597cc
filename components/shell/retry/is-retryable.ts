import type { ErrorCode } from '#lib/contract/error-codes.ts';

/** Whether a read that failed with this error is worth retrying automatically. */
export function isRetryable(code: ErrorCode): boolean {
  return code === 'UNAVAILABLE' || code === 'RATE_LIMIT_EXCEEDED';
}
