import { errorTable } from '../contract/error-codes.ts';
import type { ErrorCode, ErrorDetails } from '../contract/error-codes.ts';

type ApiErrorInput = {
  status: number;
  code: ErrorCode;
  message: string;
  /** Messages per field; only for VALIDATION_ERROR. */
  details?: ErrorDetails | undefined;
  /** Whole seconds to wait; only for RATE_LIMIT_EXCEEDED. */
  retryAfter?: number | undefined;
  /** Identifies the request in the service's log. Undefined if the service was never reached. */
  requestId?: string | undefined;
  /** Whether the log says already what happened. */
  isLogged?: boolean;
  cause?: unknown;
};

/** An error response of the service, or that the service could not be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  /** See `isLoggedAlready`. */
  readonly isLogged: boolean;
  /** The only property that Next passes to an error page in production (`thrownFailureOf`). */
  readonly digest: string;

  constructor(input: ApiErrorInput) {
    super(input.message, input.cause === undefined ? undefined : { cause: input.cause });
    this.status = input.status;
    this.code = input.code;
    this.details = input.details;
    this.retryAfter = input.retryAfter;
    this.requestId = input.requestId;
    this.isLogged = input.isLogged ?? false;
    this.digest = [input.code, input.requestId, input.retryAfter].join(':');
  }
}

/** An error with the status of its code and, unless another is given, the message. */
export function apiError(
  code: ErrorCode,
  more: Partial<Omit<ApiErrorInput, 'code' | 'status'>> = {},
): ApiError {
  return new ApiError({ code, ...errorTable[code], ...more });
}

/** The body of a response with this error. */
export function errorBody({
  code,
  message,
  details,
  retryAfter,
}: Pick<ApiError, 'code' | 'message' | 'details' | 'retryAfter'>): object {
  return { success: false, error: { code, message, details, retry_after: retryAfter } };
}

/** The message about a call that got no response in the browser: whether that is its own network. */
export function noResponseMessage(): string {
  return typeof window !== 'undefined' && !navigator.onLine
    ? 'You are offline. Try again when you are back online.'
    : errorTable.UNAVAILABLE.message;
}
