import { errorTable, unauthenticatedMessage } from '#lib/contract/error-codes.ts';
import type { Context } from '../../context.ts';
import { ServiceError } from '../../domain/errors.ts';
import { isTemporaryError } from '../../domain/is-temporary-error.ts';
import type { Call } from '../call.ts';
import { setRateLimitHeaders } from '../set-rate-limit-headers.ts';
import { errorBody, MissingKeyError } from './error-response.ts';

/** The response for an error of a handler. The cause never leaves the service. */
export function respondWithError(
  call: Call,
  error: unknown,
  ctx: Pick<Context, 'config' | 'log' | 'outages'>,
): Response {
  if (error instanceof MissingKeyError) {
    call.setHeader('WWW-Authenticate', 'Bearer');
    return call.respondWithJson(401, { message: unauthenticatedMessage });
  }
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError(isTemporaryError(error) ? 'UNAVAILABLE' : 'INTERNAL_ERROR');
  if (known !== error) {
    logFailure(call, error, { ...ctx, isTemporary: known.code === 'UNAVAILABLE' });
  }
  if (known.code === 'UNAUTHORIZED') {
    call.setHeader('WWW-Authenticate', 'Bearer error="invalid_token"');
  }
  if (known.requiredScope) {
    call.setHeader(
      'WWW-Authenticate',
      `Bearer error="insufficient_scope", scope="${known.requiredScope}"`,
    );
  }
  if (known.limit) setRateLimitHeaders(call, known.limit);
  const retryAfterSeconds =
    known.code === 'UNAVAILABLE' ? unavailableRetrySeconds : known.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) call.setHeader('Retry-After', String(retryAfterSeconds));
  return call.respondWithJson(
    errorTable[known.code].status,
    errorBody(known, ctx.config.publicUrl),
  );
}

/** A temporary failure meets many calls, so it is logged once a minute; others each time. */
function logFailure(
  call: Call,
  error: unknown,
  { log, outages, isTemporary }: Pick<Context, 'log' | 'outages'> & { isTemporary: boolean },
): void {
  const noted = isTemporary ? outages.note(error) : { omitted: 0 };
  if (noted === null) return;
  const { omitted } = noted;
  log.error(
    { err: error, request_id: call.requestId, ...(omitted > 0 && { also_refused: omitted }) },
    'request failed',
  );
}

/** A temporary error is usually over after a moment. */
const unavailableRetrySeconds = 2;
