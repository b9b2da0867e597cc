import 'server-only';
import { Readable } from 'node:stream';
import type {
  DashboardRoute,
  RouteInput,
  RouteResponseBody,
  RouteDefinition,
} from '../contract/route.ts';
import { pathParameter } from '../contract/route-input.ts';
import { toQueryString } from '../paths/query-string.ts';
import { apiError, ApiError } from './api-error.ts';
import { credentialsOf } from './call-credentials.ts';
import { baseUrl, sendCall, textOf, timeoutError, timeoutMs } from './send-call.ts';
import type { IncomingMessage } from 'node:http';
import { errorEnvelope } from '../contract/error-envelope.ts';
import { parseJson } from '../parse-json.ts';
import { reportReachable, reportUnavailable, reportUnreachable } from './report-unreachable.ts';

export type CallOptions = {
  /**
   * Another account than that of the URL; null for a call that names no account: it applies to the
   * account of the session.
   */
  account?: string | null;
  /** Called with what the service sent, before it is parsed. */
  onResponse?: (response: ServiceResponse) => void;
};

/** A response of the service, also one that is no success, as it was sent. */
export type ServiceResponse = { status: number; text: string; requestId: string | undefined };

/**
 * Calls one operation of the service on behalf of the person whose session cookie came with the
 * current request, in the account that the URL of that request names. This is the dashboard's only
 * way to the service. Routes for people who are not signed in (`dashboard`) are called without a
 * session. Nothing is cached and nothing is retried.
 *
 * @returns the parsed success body; undefined for a route without one
 * @throws ApiError for every response that is not a success, with code UNAUTHORIZED when nobody is
 *   signed in, NOT_FOUND for an id that cannot exist, and UNAVAILABLE when the service can't be
 *   reached within 15 s
 */
export async function call<const Route extends DashboardRoute>(
  route: Route,
  input: RouteInput<Route>,
  options: CallOptions = {},
): Promise<RouteResponseBody<Route>> {
  const { params, query, body, idempotencyKey } = input as UntypedInput;
  const response = await sendCall(route, {
    url: new URL(path(route.path, params) + search(query), baseUrl()),
    body: body === undefined ? null : JSON.stringify(body),
    headers: {
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(await credentialsOf(route, options)),
    },
  });
  const text = await textOf(response);
  options.onResponse?.({
    status: response.statusCode ?? 0,
    text,
    requestId: requestIdOf(response),
  });
  if (!isSuccess(response)) throw errorOf(route, response, text);
  return parseBody(route, response, text) as RouteResponseBody<Route>;
}

/**
 * Calls, in the same way, an operation that responds with a text of any length.
 *
 * @param signal aborts the call, even while the text is being read
 * @returns the response, of which nothing has been read yet
 * @throws ApiError as `call` does
 */
export async function callStream<const Route extends DashboardRoute>(
  route: Route,
  input: RouteInput<Route>,
  signal: AbortSignal,
): Promise<Response> {
  const { params, query } = input as UntypedInput;
  // The time limit applies only until the response begins: the reader may take any time for the
  // text.
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(timeoutError()), timeoutMs);
  try {
    const response = await sendCall(route, {
      url: new URL(path(route.path, params) + search(query), baseUrl()),
      body: null,
      headers: await credentialsOf(route, {}),
      signal: AbortSignal.any([signal, waiting.signal]),
    });
    if (!isSuccess(response)) throw errorOf(route, response, await textOf(response));
    const received = Object.entries(response.headersDistinct).map(
      ([name, values = []]): [string, string] => [name, values.join(', ')],
    );
    return new Response(Readable.toWeb(response) as ReadableStream, { headers: received });
  } finally {
    clearTimeout(timer);
  }
}

type UntypedInput = {
  params?: Record<string, string>;
  query?: SearchValues;
  body?: unknown;
  idempotencyKey?: string;
};

function path(template: string, params: Record<string, string> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { success, data } = pathParameter.safeParse(params[name]);
    if (!success) throw apiError('NOT_FOUND');
    return encodeURIComponent(data);
  });
}

type SearchValues = Record<string, string | number | boolean | undefined>;

function search(query: SearchValues = {}): string {
  const found = toQueryString(query);
  return found === '' ? '' : `?${found}`;
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** The body of a success, in the shape that the contract gives it. */
function parseBody(route: RouteDefinition, response: IncomingMessage, text: string): unknown {
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

function errorOf(route: RouteDefinition, response: IncomingMessage, text: string): ApiError {
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
