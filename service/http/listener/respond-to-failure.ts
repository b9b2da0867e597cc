import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '@hono/node-server';
import type { Logger } from '../../log/log.ts';
import { errorResponse, sendErrorResponse } from '../errors/error-response.ts';
import { wantsPage } from './pages/wants-page.ts';
import { sendText } from './send-text.ts';

/**
 * For errors outside the error handling of the API: a path that is not a valid URL, or an
 * unexpected failure.
 */
export function respondToFailedCall(error: unknown, log: Logger): Response {
  const isUnreadable = error instanceof RequestError;
  const failure = errorResponse(isUnreadable ? 'BAD_REQUEST' : 'INTERNAL_ERROR');
  if (!isUnreadable) {
    log.error({ err: error, request_id: failure.requestId }, 'a request got no response');
  }
  return new Response(failure.body, failure);
}

/** For what the listener, the pages or `health` did not catch. */
export function respondToFailure(
  error: unknown,
  { request, response, log }: { request: IncomingMessage; response: ServerResponse; log: Logger },
): void {
  const failure = errorResponse('INTERNAL_ERROR');
  log.error(
    { err: error, request_id: failure.requestId, method: request.method },
    'a request got no response',
  );
  if (response.headersSent) response.destroy();
  else if (wantsPage(request)) sendText(response, failure.status, 'Something went wrong.');
  else sendErrorResponse(response, failure);
}
