import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorTable } from '#lib/contract/error-codes.ts';
import type { ErrorCode, ErrorDetails } from '#lib/contract/error-codes.ts';
import { errorBody } from './error-body.ts';

/** A complete response, for requests that never reach the error handling of the API. */
export type ErrorResponse = {
  requestId: string;
  status: number;
  headers: Record<string, string>;
  body: string;
};

export function errorResponse(code: ErrorCode, details?: ErrorDetails): ErrorResponse {
  const body = JSON.stringify(errorBody(code, { details }));
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
