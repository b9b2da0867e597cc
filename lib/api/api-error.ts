import type { ErrorCode, ErrorDetails } from '../contract/error-codes.ts';

export type ApiErrorAbout = {
  status: number;
  code: ErrorCode;
  message: string;
  /** Messages per field; only for VALIDATION_ERROR. */
  details?: ErrorDetails | undefined;
  /** Whole seconds to wait; only for RATE_LIMIT_EXCEEDED. */
  retryAfter?: number | undefined;
  /** Identifies the request in the service's log. Undefined if the service was never reached. */
  requestId?: string | undefined;
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
  /**
   * The only property of an error that Next passes to an error page in production, where
   * `readFailure` reads it.
   */
  readonly digest: string;

  constructor(about: ApiErrorAbout) {
    super(about.message, about.cause === undefined ? undefined : { cause: about.cause });
    this.status = about.status;
    this.code = about.code;
    this.details = about.details;
    this.retryAfter = about.retryAfter;
    this.requestId = about.requestId;
    this.digest = [about.code, about.requestId, about.retryAfter].join(':');
  }
}
