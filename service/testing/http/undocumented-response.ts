import { errorTable } from '#lib/contract/error-codes.ts';
import type { ApiResponse } from '../api.ts';
import { responsesIn } from './malformed-http.ts';

/** How a response differs from the API description; null if it does not. */
export function findProblem(method: string, response: ApiResponse): string | null {
  const { status, text, headers } = response;
  if (status >= 500) return `got ${status} ${text}`;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(headers.get('X-Request-Id') ?? '')) return 'has no request id';
  const isDocumented = method === 'HEAD' || isDocumentedBody(response);
  return isDocumented ? null : `got ${status} ${text.slice(0, 500)}`;
}

/** The same check for all responses on a connection, some of which Node itself may have sent. */
export function findProblemInBytes(received: string): string | null {
  const wrong = responsesIn(received).find(
    ({ status, body }) => !(status < 500) || showsInsides(body),
  );
  return wrong ? `got ${wrong.status} ${wrong.body.slice(0, 500)}` : null;
}

function isDocumentedBody({ status, body, text, headers }: ApiResponse): boolean {
  if (status === 204) return text === '';
  if (status < 300 && headers.has('X-Total-Count')) return isWholeExport(text, headers);
  if (typeof body !== 'object' || body === null) return false;
  if (status < 300) return 'openapi' in body || ('success' in body && body.success === true);
  if (text === '{"message":"Unauthenticated."}') return status === 401;
  if (showsInsides(text)) return false;
  const { error } = body as { error?: { code?: string; message?: string } };
  return Object.entries(errorTable).some(
    ([code, known]) =>
      known.status === status && error?.code === code && error.message === known.message,
  );
}

/** A CSV export has a line with the names of its columns. */
function isWholeExport(text: string, headers: Headers): boolean {
  const isCsv = headers.get('Content-Type') === 'text/csv; charset=utf-8';
  const lines = text === '' ? 0 : text.trimEnd().split('\n').length;
  return lines === Number(headers.get('X-Total-Count')) + (isCsv ? 1 : 0);
}

/** Whether the text contains details that only the log may contain. */
function showsInsides(text: string): boolean {
  return /at .*\.ts:\d|node_modules|select .* from|postgres/i.test(text);
}
