import type { ErrorCode } from '#lib/contract/error-codes.ts';

/** Whether a read that failed so is worth trying again by itself. */
export function isRetryable(code: ErrorCode): boolean {
  return code === 'UNAVAILABLE' || code === 'RATE_LIMIT_EXCEEDED';
}
