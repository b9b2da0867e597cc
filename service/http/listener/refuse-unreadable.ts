import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { RequestError } from '@hono/node-server';
import type { ErrorCode } from '#lib/contract/error-codes.ts';
import type { Logger } from '../../log/log.ts';
import { errorResponse, sendErrorResponse, writeErrorResponse } from '../errors/error-response.ts';
import { wantsPage } from './pages/wants-page.ts';
import { sendText } from './send-text.ts';

/**
 * Refuses bytes that Node cannot read as a request, in the same error envelope as other refusals,
 * and closes the connection. A response in progress on the connection is completed first, and
 * nothing is written into it.
 */
export function refuseUnreadable(
  server: Server,
  { headers, log }: { headers: Record<string, string>; log: Logger },
): void {
  const latestResponses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => latestResponses.set(socket, response));

  function refuse(socket: Duplex, code: ErrorCode): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const error = errorResponse(code);
    const ip = 'remoteAddress' in socket ? socket.remoteAddress : null;
    log.info({ request_id: error.requestId, status: error.status, ip }, 'request not readable');
    writeErrorResponse(socket, error, headers);
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const code = codes.get(error.code ?? '') ?? 'BAD_REQUEST';
    const latest = latestResponses.get(socket);
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (!latest) refuse(socket, code);
    else if (latest.req.complete) whenFinished(latest, () => refuse(socket, code));
    // The rest of a body cannot be read. Its request has already got a response, or gets one now.
    else if (latest.headersSent) whenFinished(latest, () => socket.end());
    else refuse(socket, code);
  });

  // `CONNECT` is meant for proxies.
  server.on('connect', (_request, socket) => refuse(socket, 'BAD_REQUEST'));

  // For an unknown `Expect`, Node would refuse without the envelope. The header may be ignored (RFC
  // 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}

function whenFinished(response: ServerResponse, act: () => void): void {
  if (response.writableFinished) act();
  else response.once('finish', act);
}

const codes = new Map<string, ErrorCode>([
  ['HPE_HEADER_OVERFLOW', 'HEADERS_TOO_LARGE'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'REQUEST_TIMEOUT'],
]);

/** For errors outside the API's handling: a path that is no valid URL, or the unexpected. */
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
