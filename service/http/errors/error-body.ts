import { errorTable } from '#lib/contract/error-codes.ts';
import type { ErrorCode } from '#lib/contract/error-codes.ts';
import type { ErrorEnvelope } from '#lib/contract/error-envelope.ts';
import type { ServiceError } from '../../domain/errors.ts';

/** What one error says beyond its code. `customMessage` replaces the message of the code. */
type Particulars = Partial<Pick<ServiceError, 'customMessage' | 'details' | 'retryAfterSeconds'>>;

/** The body of an error response: the error in the envelope of the contract. */
export function errorBody(
  code: ErrorCode,
  { customMessage, details, retryAfterSeconds }: Particulars = {},
): ErrorEnvelope {
  return {
    success: false,
    error: {
      code,
      message: customMessage ?? errorTable[code].message,
      ...(details && { details }),
      ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
    },
  };
}
