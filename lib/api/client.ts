import 'server-only';
import { request as openHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as openHttps } from 'node:https';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { headers } from 'next/headers';
import { errorEnvelope } from '../contract/errors.ts';
import type {
  RouteBodyInput,
  RouteDefinition,
  RouteParams,
  RouteQueryInput,
  RouteResponseBody,
} from '../contract/route.ts';
import { failureKind } from '../lasting-failures.ts';
import { accountOf } from '../paths/account-path.ts';
import { pagePath } from '../paths/page-path.ts';
import { parseJson } from '../parse-json.ts';
import { toQueryString } from '../query-string.ts';
import { readSessionToken } from '../cookies/session-cookie.ts';
import { ApiError, apiError } from './api-error.ts';
import { noteReached, reportUnavailable, reportUnreachable } from './report-unreachable.ts';

/** Only the parts of a request that the route has. */
export type RequestInput<Route extends RouteDefinition> = Part<'params', RouteParams<Route>> &
  Part<'query', RouteQueryInput<Route>> &
  Part<'body', RouteBodyInput<Route>> &
  Part<'idempotencyKey', Route extends { onRepeat: string } ? string : undefined>;

type Part<Name extends string, Value> = unknown extends Value
  ? unknown
  : [Value] extends [undefined]
    ? unknown
    : { [Key in Name]: Value };

/**
 * Calls one operation of the service on behalf of the person whose session cookie came with the
 * current request, in the account that the URL of that request names. This is the dashboard's only
 * way to the service. Routes for people who are not signed in (`dashboard`) are called without a
 * session. Nothing is cached and nothing is retried.
 *
 * @param options.account null for a call that names no account: it applies to the account of the
 *   session
 * @returns the parsed success body; undefined for a route without one
 * @throws ApiError for every response that is not a success, with code UNAUTHORIZED when nobody is
 *   signed in and UNAVAILABLE when the service can't be reached within 15 s
 */
export async function request<const Route extends RouteDefinition>(
  route: Route,
  input: RequestInput<Route>,
  options: { account?: null } = {},
): Promise<RouteResponseBody<Route>> {
  const { params, query, body, idempotencyKey } = input as UntypedInput;
  const response = await send(route, {
    url: new URL(path(route.path, params) + search(query), baseUrl()),
    body: body === undefined ? null : JSON.stringify(body),
    headers: {
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(await credentials(route, options)),
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
 * @throws ApiError as `request` does
 */
export async function requestStream<const Route extends RouteDefinition>(
  route: Route,
  input: RequestInput<Route>,
  signal: AbortSignal,
): Promise<Response> {
  const { params, query } = input as UntypedInput;
  // The time limit applies only until the response begins: the reader may take any time for the
  // text.
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(timeoutError()), timeoutMs);
  try {
    const response = await send(route, {
      url: new URL(path(route.path, params) + search(query), baseUrl()),
      body: null,
      headers: await credentials(route, {}),
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

const timeoutMs = 15_000;

/**
 * Sends a request over Node's keep-alive connections, without Next's `fetch`, which is slower. It
 * does not follow redirects: one could send the credential to another host.
 */
async function send(
  route: RouteDefinition,
  call: { url: URL; body: string | null; headers: Record<string, string>; signal?: AbortSignal },
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const signal = call.signal ?? AbortSignal.timeout(timeoutMs);
  const open = call.url.protocol === 'https:' ? openHttps : openHttp;
  // As bytes: Node would write a string together with the headers, and encode both as UTF-8.
  const body = call.body === null ? null : Buffer.from(call.body);
  try {
    const sent = open(call.url, {
      method: route.method,
      headers: {
        Accept: 'application/json',
        'User-Agent': 'ConversationService-Dashboard/1',
        ...(body === null
          ? {}
          : // Without a length, Node sends the body of a DELETE without any framing.
            { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }),
        ...call.headers,
      },
      signal,
    });
    sent.once('response', resolve);
    sent.on('error', reject);
    sent.end(body ?? undefined);
    return await promise;
  } catch (cause) {
    const hasReaderLeft = signal.aborted && !isTimeout(signal.reason);
    if (!hasReaderLeft) reportUnreachable(call.url, reasonOf(signal.reason ?? cause));
    throw apiError('UNAVAILABLE', { cause, isLogged: !hasReaderLeft });
  }
}

/** The same kind of error as that of `AbortSignal.timeout`. */
function timeoutError(): DOMException {
  return new DOMException('The service took too long to respond.', 'TimeoutError');
}

/** Whether the time limit aborted the call, and not a reader who left. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** Why a call got no complete response, for the operator. */
function reasonOf(cause: unknown): string {
  return isTimeout(cause) ? `no response within ${timeoutMs / 1000} s` : failureKind(cause);
}

async function textOf(response: IncomingMessage): Promise<string> {
  try {
    return await readText(response);
  } catch (cause) {
    // If the time limit aborted the call, that is the error's own cause.
    const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
    reportUnreachable(new URL(baseUrl()), reasonOf(reason));
    throw apiError('UNAVAILABLE', { cause, isLogged: true });
  }
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** The dashboard's own credential, the person's session, and the address of the person's client. */
async function credentials(
  route: RouteDefinition,
  options: { account?: null },
): Promise<Record<string, string>> {
  const credential = process.env['DASHBOARD_CREDENTIAL'];
  if (!credential) throw new Error('DASHBOARD_CREDENTIAL is not set.');
  const incoming = await headers();
  const sent: Record<string, string> = {
    Authorization: `Bearer ${credential}`,
    // Set by our own listener; without it (`next dev` alone) the service sees an unknown address.
    'X-Dashboard-Client': [
      incoming.get('x-client-address') ?? '0.0.0.0',
      incoming.get('user-agent') ?? '',
    ]
      .join(' ')
      .trim(),
  };
  if (route.access === 'dashboard') return sent;
  const session = await readSessionToken();
  if (session === null) throw apiError('UNAUTHORIZED', { message: 'Your session has ended.' });
  const account = options.account === null ? null : accountOf(pagePath(incoming));
  return {
    ...sent,
    'X-Dashboard-Session': session,
    // A value that is too long is no valid account, and is still none after it is cut.
    ...(account !== null && { 'X-Dashboard-Account': account.slice(0, maxAccountLength) }),
  };
}

/** Longer than a UUID, so that cutting a value never produces a valid UUID. */
const maxAccountLength = 64;

function baseUrl(): string {
  return process.env['API_BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
}

function path(template: string, params: Record<string, string> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    // A dot segment would be resolved away, which would change the path.
    return /^\.*$/.test(value) ? '-' : encodeURIComponent(value);
  });
}

type SearchValues = Record<string, string | number | boolean | undefined>;

function search(query: SearchValues = {}): string {
  const found = toQueryString(query);
  return found === '' ? '' : `?${found}`;
}

function parseBody(route: RouteDefinition, response: IncomingMessage, text: string): unknown {
  const schema =
    route.response[response.statusCode ?? 0] ?? Object.values(route.response)[0] ?? null;
  if (schema === null || text === '') return undefined;
  // Only zod's message about a response that breaks the contract may reach a log: `parseJson` leaves
  // out the parser's own, which quotes the text.
  const { success, data, error: cause } = schema.safeParse(parseJson(text));
  if (success) {
    noteReached();
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
    else noteReached();
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
    'The service does not accept this dashboard. Ask its operator to look into the log, which says why.';
  return apiError('UNAUTHORIZED', { message, requestId });
}
