import { errorTable, unauthenticatedMessage } from '#lib/contract/error-codes.ts';
import type { ErrorCode } from '#lib/contract/error-codes.ts';
import type { ErrorEnvelope } from '#lib/contract/errors.ts';
import type { Logger } from '../../log/log.ts';
import { serverNotRunning, sqlstate, sqlstateClass } from '../../sqlstate.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Call } from '../call.ts';

/**
 * A request without any key. It is the only 401 with a body of its own (specification,
 * Authentication 5).
 */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';
}

/**
 * Converts an error of a handler into the response for the caller. The cause never leaves the
 * service.
 */
export function respondWithError(call: Call, error: unknown, log: Logger): Response {
  if (error instanceof MissingKeyError) {
    call.setHeader('WWW-Authenticate', 'Bearer');
    return call.respondWithJson(401, { message: unauthenticatedMessage });
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
  return call.respondWithJson(status, envelope);
}

/** A lost connection, a restart or a lock is usually over after a moment. */
const unavailableRetrySeconds = 2;

/**
 * The first characters of PostgreSQL's codes for a database that is unavailable, starting, shutting
 * down, or out of space.
 */
const awayClasses = [
  sqlstateClass.connectionException,
  sqlstateClass.insufficientResources,
  serverNotRunning,
];
const unavailableCodes = new Set<string>([
  // A standby accepts only reads.
  sqlstate.readOnlySqlTransaction,
  // A statement or an idle transaction that took too long, or one of two conflicting transactions.
  sqlstate.queryCanceled,
  sqlstate.idleInTransactionSessionTimeout,
  sqlstate.serializationFailure,
  sqlstate.deadlockDetected,
  // The network failed.
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/**
 * The driver's messages, which have no code, for a lost connection or one that could not be opened.
 */
const connectionFailure =
  /connection (?:terminated|timeout)|timeout exceeded when trying|is not queryable/i;

function unexpectedCode(error: unknown): ErrorCode {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (unavailableCodes.has(code) || awayClasses.some((prefix) => code.startsWith(prefix))) {
      return 'UNAVAILABLE';
    }
    if (connectionFailure.test(cause.message)) return 'UNAVAILABLE';
  }
  return 'INTERNAL_ERROR';
}
