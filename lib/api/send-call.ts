import 'server-only';
import { request as openHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as openHttps } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import type { RouteDefinition } from '../contract/route.ts';
import { failureKind } from '../failures/throttled-failures.ts';
import { apiError } from './api-error.ts';
import { reportUnreachable } from './report-unreachable.ts';

export function baseUrl(): string {
  return process.env['API_BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
}

/** How long the service may take for a call. */
export const timeoutMs = 15_000;

/**
 * Sends a request over Node's keep-alive connections, without Next's `fetch`, which is slower. It
 * does not follow redirects: one could send the credential to another host.
 */
export async function sendCall(
  route: Pick<RouteDefinition, 'method'>,
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
export function timeoutError(): DOMException {
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

/** The whole text of a response. @throws ApiError UNAVAILABLE if it breaks off or takes too long */
export async function textOf(response: IncomingMessage): Promise<string> {
  try {
    return await readText(response);
  } catch (cause) {
    // If the time limit aborted the call, that is the error's own cause.
    const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
    reportUnreachable(new URL(baseUrl()), reasonOf(reason));
    throw apiError('UNAVAILABLE', { cause, isLogged: true });
  }
}
