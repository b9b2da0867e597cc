import { errorTable } from '../contract/error-codes.ts';
import type { ErrorCode } from '../contract/error-codes.ts';

/**
 * What an error page may say about what was thrown. Of a server's error only the digest arrives in
 * production; an `ApiError` writes its code and request id there.
 */
export function readFailure(error: unknown): { message: string; requestId: string | undefined } {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : '';
  const [code = '', requestId = ''] = digest.split(':');
  if (isErrorCode(code)) {
    return { message: errorTable[code].message, requestId: requestId || undefined };
  }
  return { message: errorTable.INTERNAL_ERROR.message, requestId: digest || undefined };
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorTable, text);
}
