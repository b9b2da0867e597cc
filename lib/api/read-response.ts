import 'server-only';
import type { IncomingMessage } from 'node:http';
import { errorEnvelope } from '../contract/error-envelope.ts';
import type { RouteDefinition } from '../contract/route.ts';
import { parseJson } from '../parse-json.ts';
import { ApiError, apiError } from './api-error.ts';
import { reportReachable, reportUnavailable, reportUnreachable } from './report-unreachable.ts';
import { baseUrl } from './send-call.ts';

export function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** The body of a success, in the shape that the contract gives it. */
export function parseBody(
  route: RouteDefinition,
  response: IncomingMessage,
  text: string,
): unknown {
  const schema =
    route.response[response.statusCode ?? 0] ?? Object.values(route.response)[0] ?? null;
  if (schema === null || text === '') return undefined;
  // Only zod's message about a response that breaks the contract may reach a log: `parseJson` leaves
  // out the parser's own, which quotes the text.
  const { success, data, error: cause } = schema.safeParse(parseJson(text));
  if (success) {
    reportReachable();
    return data;
  }
  throw apiError('INTERNAL_ERROR', { requestId: requestIdOf(response), cause });
}

export function errorOf(route: RouteDefinition, response: IncomingMessage, text: string): ApiError {
  const { statusCode: status = 0 } = response;
  const requestId = requestIdOf(response);
  // Such a call has no session, so only the credential can be refused.
  if (status === 401 && route.access === 'dashboard') return credentialRefused(requestId);
  const envelope = errorEnvelope.safeParse(parseJson(text));
  if (envelope.success) {
    const { code, message, details, retry_after: retryAfter } = envelope.data.error;
    const isLogged = code === 'UNAVAILABLE';
    if (isLogged) reportUnavailable(new URL(baseUrl()));
    else reportReachable();
    return new ApiError({ status, code, message, details, retryAfter, requestId, isLogged });
  }
  if (status === 401) return apiError('UNAUTHORIZED', { requestId });
  // This is not our envelope: something between us and the service responded in its place.
  reportUnreachable(new URL(baseUrl()), `another server responded, with status ${status}`);
  return apiError('UNAVAILABLE', { requestId, isLogged: true });
}

function requestIdOf({ headers: { 'x-request-id': id } }: IncomingMessage): string | undefined {
  return id?.toString();
}

function credentialRefused(requestId: string | undefined): ApiError {
  // oxlint-disable-next-line no-console -- the service writes the console to its log
  console.error(
    'The service refused DASHBOARD_CREDENTIAL. Set the same one for processes with web and processes with api.',
  );
  const message =
    'The service does not accept this dashboard. Ask its operator to check the log for the reason.';
  return apiError('UNAUTHORIZED', { message, requestId });
}
