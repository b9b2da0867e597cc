import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorTable, type ErrorCode, type ErrorDetails } from '#lib/contract/error-codes.ts';
import { errorPagePath } from '#lib/contract/error-reasons.ts';
import type { ErrorEnvelope } from '#lib/contract/error-envelope.ts';
import { ServiceError } from '../../domain/errors.ts';

/** A complete response, for requests that never reach the error handling of the API. */
type ErrorResponse = {
  requestId: string;
  status: number;
  headers: Record<string, string>;
  body: string;
};

export function errorResponse(code: ErrorCode, details?: ErrorDetails): ErrorResponse {
  const body = JSON.stringify(errorBody(new ServiceError(code, details && { details })));
  const requestId = randomUUID();
  return {
    requestId,
    status: errorTable[code].status,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
    },
    body,
  };
}

export function sendErrorResponse(response: ServerResponse, error: ErrorResponse): void {
  response.writeHead(error.status, error.headers);
  response.end(error.body);
}

/** Writes the response to a connection on which no request could be read, and ends it. */
export function writeErrorResponse(
  socket: Duplex,
  error: ErrorResponse,
  moreHeaders: Record<string, string>,
): void {
  const headers = { ...error.headers, ...moreHeaders, Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines];
  socket.end(`${head.join('\r\n')}\r\n\r\n${error.body}`);
}

/**
 * The body of an error response: the error in the envelope of the contract.
 *
 * @param publicUrl where the dashboard is, which has a page about each reason
 */
export function errorBody(
  { code, customMessage, details, reason, requiredScope, retryAfterSeconds }: ServiceError,
  publicUrl?: URL,
): ErrorEnvelope {
  return {
    success: false,
    error: {
      code,
      message: customMessage ?? errorTable[code].message,
      ...(reason && { reason }),
      ...(requiredScope && { required_scope: requiredScope }),
      ...(details && { details }),
      ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
      ...(reason && publicUrl && { doc_url: new URL(errorPagePath(reason), publicUrl).href }),
    },
  };
}

/** A request without any key: the only 401 with its own body (specification, Authentication 5). */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';
}
