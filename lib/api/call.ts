import 'server-only';
import { Readable } from 'node:stream';
import type { DashboardRoute, RouteInput, RouteResponseBody } from '../contract/route.ts';
import { pathParameter } from '../contract/route-input.ts';
import { toQueryString } from '../paths/query-string.ts';
import { apiError } from './api-error.ts';
import { credentialsOf } from './call-credentials.ts';
import { errorOf, isSuccess, parseBody } from './read-response.ts';
import { baseUrl, sendCall, textOf, timeoutError, timeoutMs } from './send-call.ts';

/**
 * Calls one operation of the service on behalf of the person whose session cookie came with the
 * current request, in the account that the URL of that request names. This is the dashboard's only
 * way to the service. Routes for people who are not signed in (`dashboard`) are called without a
 * session. Nothing is cached and nothing is retried.
 *
 * @param options.account another account than that of the URL; null for a call that names no
 *   account: it applies to the account of the session
 * @returns the parsed success body; undefined for a route without one
 * @throws ApiError for every response that is not a success, with code UNAUTHORIZED when nobody is
 *   signed in, NOT_FOUND for an id that cannot exist, and UNAVAILABLE when the service can't be
 *   reached within 15 s
 */
export async function call<const Route extends DashboardRoute>(
  route: Route,
  input: RouteInput<Route>,
  options: { account?: string | null } = {},
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
