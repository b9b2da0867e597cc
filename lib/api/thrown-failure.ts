import { errorTable } from '../contract/error-codes.ts';
import type { ErrorCode } from '../contract/error-codes.ts';
import { isKeyOf } from '../object-keys.ts';

/** What an error page can say about a thrown error. */
export type ThrownFailure = {
  code: ErrorCode;
  message: string;
  requestId: string | undefined;
  /** Whole seconds to wait; only for RATE_LIMIT_EXCEEDED. */
  retryAfter: number | undefined;
};

/**
 * Reads a thrown error. In production only the digest of a server's error arrives in the browser,
 * and an `ApiError` writes these values into its digest.
 */
export function thrownFailureOf(error: unknown): ThrownFailure {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : '';
  const [code = '', requestId = '', retryAfter = ''] = digest.split(':');
  const isKnown = isKeyOf(errorTable, code);
  const known = isKnown ? code : 'INTERNAL_ERROR';
  return {
    code: known,
    message: errorTable[known].message,
    requestId: (isKnown ? requestId : digest) || undefined,
    retryAfter: isKnown && retryAfter !== '' ? Number(retryAfter) : undefined,
  };
}
