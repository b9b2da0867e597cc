import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { ErrorCode, ErrorDetails } from '#lib/contract/error-codes.ts';
import { usualReasons } from '#lib/contract/error-reasons.ts';
import type { ErrorReason, ReasonOf } from '#lib/contract/error-reasons.ts';
import type { LimitState } from '../limiter/limiter.ts';
import type { LimitName } from '../limiter/limits.ts';

/** An error of the contract's table, for the caller; `respond-with-error.ts` sends it. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** Why, for codes that have more than one reason. */
  readonly reason: ErrorReason | undefined;
  /** The scope that the key lacks, with the reason `scope`. */
  readonly requiredScope: Scope | undefined;
  readonly details: ErrorDetails | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The limit that was reached, for the headers that state it. */
  readonly limit: LimitState | undefined;
  /** Replaces the default message of the code, to say what a person can do instead. */
  readonly customMessage: string | undefined;

  constructor(
    code: ErrorCode,
    {
      reason = usualReasons[code],
      requiredScope,
      details,
      retryAfterSeconds,
      limit,
      customMessage,
    }: {
      reason?: ErrorReason | undefined;
      requiredScope?: Scope;
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
    this.reason = reason;
    this.requiredScope = requiredScope;
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
export function forbidden(reason: ReasonOf<'FORBIDDEN'>, customMessage?: string): ServiceError {
  return new ServiceError('FORBIDDEN', { reason, customMessage });
}

/** A 403 for a key without the scope that the operation requires. */
export function lacksScope(requiredScope: Scope, customMessage?: string): ServiceError {
  return new ServiceError('FORBIDDEN', { reason: 'scope', requiredScope, customMessage });
}

/** A 429 that says when the limit allows another call. */
export function overLimit(limit: LimitState): ServiceError {
  return new ServiceError('RATE_LIMIT_EXCEEDED', {
    reason: reasonOfLimit[limit.name],
    retryAfterSeconds: limit.resetSeconds,
    limit,
  });
}

/** The limits whose reason is not `operation_limit`. */
const reasonOfLimit: Partial<Record<LimitName, ReasonOf<'RATE_LIMIT_EXCEEDED'>>> = {
  call: 'key_limit',
  'call-outside-networks': 'key_limit',
  'account-call': 'account_limit',
  creation: 'creation_limit',
  'account-creation': 'creation_limit',
  'failed-authentication': 'authentication_limit',
};

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
export function invalid(
  field: string,
  message: string,
  reason?: ReasonOf<'VALIDATION_ERROR'>,
): ServiceError {
  return new ServiceError('VALIDATION_ERROR', { reason, details: { [field]: [message] } });
}

/** A 422 about several fields; the field `body` stands for the whole request. */
export function invalidFields(details: ErrorDetails): ServiceError {
  return new ServiceError('VALIDATION_ERROR', { details });
}
