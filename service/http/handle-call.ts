import type { Context as HonoContext } from 'hono';
import { problemOfStatus, type CallProblem } from '#lib/contract/api-keys/call-problems.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import type { Context } from '../context.ts';
import type { CallLog } from '../domain/api-keys/calls/call-log.ts';
import { ServiceError } from '../domain/errors.ts';
import { createAccessLog } from '../log/access-log.ts';
import type { OpenSpan } from '../tracing/tracing.ts';
import { Call } from './call.ts';
import { respondWithError } from './errors/respond-with-error.ts';

/**
 * Wraps a handler that may throw into a handler for the router: it identifies the request and its
 * origin, converts errors into responses, counts the calls of keys, records the span of the
 * request, and writes its one log line.
 *
 * @param definition the route in the contract; null for a path without one
 */
export function handleCall(
  ctx: Pick<Context, 'log' | 'config' | 'outages' | 'metrics' | 'tracing'> & {
    calls: Pick<CallLog, 'record'>;
  },
  definition: Pick<RouteDefinition, 'name' | 'path'> | null,
  handler: (call: Call) => Promise<Response>,
): (http: HonoContext) => Promise<Response> {
  const route = definition?.name ?? null;
  const logAccess = createAccessLog(ctx.log, ctx.config.logAccess);
  const countInMetrics = ctx.metrics.callsOf(route);
  return async (http) => {
    const started = performance.now();
    const call = new Call(http);
    const span = beginSpan(call);
    let response: Response;
    let refusal: unknown = null;
    try {
      response = await handler(call);
    } catch (error) {
      refusal = error;
      response = respondWithError(call, error, ctx);
    }
    countCall(call, { response, refusal });
    if (span) endSpan(span, { call, status: response.status });
    const durationMs = performance.now() - started;
    countInMetrics(response.status, durationMs / 1000);
    logAccess({
      request_id: call.requestId,
      method: call.method,
      route,
      status: response.status,
      duration_ms: Math.round(durationMs * 10) / 10,
      ip: call.origin.ip,
      account_id: call.caller?.accountId ?? null,
      actor: call.caller?.name ?? null,
    });
    return response;
  };

  function beginSpan(call: Call): OpenSpan | null {
    if (ctx.tracing === null) return null;
    const { method, origin } = call;
    const span = ctx.tracing.begin({
      name: definition === null ? method : `${method} ${definition.path}`,
      kind: 'server',
      // A `traceparent` of the caller is ignored: a customer must not decide what is recorded.
      parent: null,
      attributes: {
        'http.request.method': method,
        ...(definition && { 'http.route': definition.path }),
        'conversation_service.request.id': origin.requestId,
      },
    });
    call.origin = { ...origin, traceParent: span.traceParent };
    return span;
  }

  function countCall(
    call: Call,
    { response, refusal }: { response: Response; refusal: unknown },
  ): void {
    if (call.key === null) return;
    const { accountId, apiKeyId, tokenId, problem, detail } = call.key;
    const { status } = response;
    ctx.calls.record({
      accountId,
      apiKeyId,
      tokenId,
      requestId: call.requestId,
      route,
      method: call.method,
      status,
      problem: problem ?? (status < 400 ? null : problemOf(refusal, status)),
      detail: refusal instanceof ServiceError ? (refusal.requiredScope ?? detail) : detail,
      address: call.origin.ip,
      userAgent: call.origin.userAgent,
    });
  }
}

function endSpan(span: OpenSpan, { call, status }: { call: Call; status: number }): void {
  const accountId = call.caller?.accountId ?? null;
  span.end({
    'http.response.status_code': status,
    ...(accountId !== null && { 'conversation_service.account.id': accountId }),
    ...(status >= 500 && { 'error.type': String(status) }),
  });
}

function problemOf(refusal: unknown, status: number): CallProblem {
  const reason = refusal instanceof ServiceError ? refusal.reason : undefined;
  return reason ?? problemOfStatus(status);
}
