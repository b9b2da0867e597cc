import type { Context as HonoContext } from 'hono';
import { problemOfStatus, type CallProblem } from '#lib/contract/api-keys/call-problems.ts';
import type { Context } from '../context.ts';
import type { CallLog } from '../domain/api-keys/calls/call-log.ts';
import { ServiceError } from '../domain/errors.ts';
import { createAccessLog } from '../log/access-log.ts';
import { Call } from './call.ts';
import { respondWithError } from './errors/respond-with-error.ts';

/**
 * Wraps a handler that may throw into a handler for the router: it identifies the request and its
 * origin, converts errors into responses, counts the calls of keys, and writes the one log
 * line of the request.
 *
 * @param route the route's name in the contract; null for a path without one
 */
export function handleCall(
  ctx: Pick<Context, 'log' | 'config' | 'outages' | 'metrics'> & {
    calls: Pick<CallLog, 'record'>;
  },
  route: string | null,
  handler: (call: Call) => Promise<Response>,
): (http: HonoContext) => Promise<Response> {
  const logAccess = createAccessLog(ctx.log, ctx.config.logAccess);
  const countInMetrics = ctx.metrics.callsOf(route);
  return async (http) => {
    const started = performance.now();
    const call = new Call(http);
    let response: Response;
    let refusal: unknown = null;
    try {
      response = await handler(call);
    } catch (error) {
      refusal = error;
      response = respondWithError(call, error, ctx);
    }
    countCall(call, { response, refusal });
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

function problemOf(refusal: unknown, status: number): CallProblem {
  const reason = refusal instanceof ServiceError ? refusal.reason : undefined;
  return reason ?? problemOfStatus(status);
}
