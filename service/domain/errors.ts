import type { ErrorCode, ErrorDetails } from '#lib/contract/error-codes.ts';
import type { LimitState } from '../limiter/limiter.ts';

/**
 * An error of the contract's error table, for the caller. Verbs and middleware throw it; only
 * `http/errors/respond-with-error.ts` turns it into a response.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The limit that was reached, for the headers that state it. */
  readonly limit: LimitState | undefined;
  /** Replaces the default message of the code, to say what a person can do instead. */
  readonly customMessage: string | undefined;

  constructor(
    code: ErrorCode,
    {
      details,
      retryAfterSeconds,
      limit,
      customMessage,
    }: {
      details?: ErrorDetails;
      retryAfterSeconds?: number;
      limit?: LimitState;
      customMessage?: string | undefined;
    } = {},
  ) {
    // An expected outcome needs no stack trace, and recording one would slow down each refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.limit = limit;
    this.customMessage = customMessage;
  }
}

export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND');
}

/** @param customMessage what a person can do instead */
export function forbidden(customMessage?: string): ServiceError {
  return new ServiceError('FORBIDDEN', { customMessage });
}

/** A 429 that says when the limit allows another call. */
export function overLimit(limit: LimitState): ServiceError {
  return new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: limit.resetSeconds, limit });
}

/**
 * What a check finds wrong with the input, as a value: for a response that has more to report.
 *
 * @throws ServiceError for any other reason
 */
export async function problemsOf(check: () => unknown): Promise<ErrorDetails> {
  try {
    await check();
    return {};
  } catch (error) {
    if (error instanceof ServiceError && error.details) return error.details;
    throw error;
  }
}

/** A 422 about one field; the field `body` stands for the whole request. */
export function invalid(field: string, message: string): ServiceError {
  return invalidFields({ [field]: [message] });
}

/** A 422 about several fields; the field `body` stands for the whole request. */
export function invalidFields(details: ErrorDetails): ServiceError {
  return new ServiceError('VALIDATION_ERROR', { details });
}
