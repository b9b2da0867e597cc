import { errorTable, unauthenticatedMessage } from '#lib/contract/error-codes.ts';
import type { ErrorCode } from '#lib/contract/error-codes.ts';
import type { ErrorEnvelope } from '#lib/contract/errors.ts';
import type { Logger } from '../../log/log.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Call } from '../call.ts';

/** A request without any key: the one 401 that has its own body (specification, Authentication 5). */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';
}

/** Turns what a handler threw into the answer its caller gets. The cause never leaves the service. */
export function answerError(call: Call, error: unknown, log: Logger): Response {
  if (error instanceof MissingKeyError) {
    call.setHeader('WWW-Authenticate', 'Bearer');
    return call.answerJson(401, { message: unauthenticatedMessage });
  }
  const known = error instanceof ServiceError ? error : new ServiceError(unexpectedCode(error));
  if (known !== error) {
    log.error({ err: error, request_id: call.requestId }, 'request failed');
  }
  if (known.code === 'UNAUTHORIZED') {
    call.setHeader('WWW-Authenticate', 'Bearer error="invalid_token"');
  }
  const retryAfterSeconds =
    known.code === 'UNAVAILABLE' ? unavailableRetrySeconds : known.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) call.setHeader('Retry-After', String(retryAfterSeconds));
  const { status, message } = errorTable[known.code];
  const envelope: ErrorEnvelope = {
    success: false,
    error: {
      code: known.code,
      message: known.customMessage ?? message,
      ...(known.details && { details: known.details }),
      ...(known.retryAfterSeconds !== undefined && { retry_after: known.retryAfterSeconds }),
    },
  };
  return call.answerJson(status, envelope);
}

/** A lost connection, a restart or a lock is mostly over in a moment. */
const unavailableRetrySeconds = 2;

/**
 * PostgreSQL's codes that mean "try again later": connection lost, starting or shutting down, out of
 * resources, read-only (25006, a standby), statement cancelled (57014), idle transaction ended (25P03),
 * serialization failure (40001) and deadlock (40P01).
 */
const unavailable = /^(?:08|25006|25P03|40001|40P01|53|57014|57P0)/;
const networkFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** What the driver says, without a code, of a connection that is gone or that it could not get. */
const connectionFailure =
  /connection (?:terminated|timeout)|timeout exceeded when trying|is not queryable/i;

function unexpectedCode(error: unknown): ErrorCode {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (unavailable.test(code) || networkFailures.has(code)) return 'UNAVAILABLE';
    if (connectionFailure.test(cause.message)) return 'UNAVAILABLE';
  }
  return 'INTERNAL_ERROR';
}
