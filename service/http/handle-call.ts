import type { Context as HonoContext } from 'hono';
import type { CallFailure } from '#lib/contract/api-keys/failed-calls.ts';
import type { Context } from '../context.ts';
import type { FailedCallLog } from '../domain/api-keys/tokens/failed-call-log.ts';
import { createAccessLog } from '../log/access-log.ts';
import { Call } from './call.ts';
import { respondWithError } from './errors/respond-with-error.ts';

/**
 * Wraps a handler that may throw into a handler for the router: it identifies the request and its
 * origin, converts errors into responses, records the failed calls of keys, and writes the one log
 * line of the request.
 *
 * @param route the route's name in the contract; null for a path without one
 */
export function handleCall(
  ctx: Pick<Context, 'log' | 'config' | 'outages'> & {
    failedCalls: Pick<FailedCallLog, 'record'>;
  },
  route: string | null,
  handler: (call: Call) => Promise<Response>,
): (http: HonoContext) => Promise<Response> {
  const logAccess = createAccessLog(ctx.log, ctx.config.logAccess);
  return async (http) => {
    const started = performance.now();
    const call = new Call(http);
    let response: Response;
    try {
      response = await handler(call);
    } catch (error) {
      response = respondWithError(call, error, ctx);
    }
    const { key } = call;
    if (key !== null && response.status >= 400) {
      ctx.failedCalls.record({
        accountId: key.accountId,
        apiKeyId: key.apiKeyId,
        requestId: call.requestId,
        route,
        method: call.method,
        status: response.status,
        reason: key.problem ?? failureOf(response.status),
        address: call.origin.ip,
        userAgent: call.origin.userAgent,
      });
    }
    logAccess({
      request_id: call.requestId,
      method: call.method,
      route,
      status: response.status,
      duration_ms: Math.round((performance.now() - started) * 10) / 10,
      ip: call.origin.ip,
      account_id: call.caller?.accountId ?? null,
      actor: call.caller?.name ?? null,
    });
    return response;
  };
}

function failureOf(status: number): CallFailure {
  if (status >= 500) return 'failed';
  if (status === 401) return 'token_ended';
  if (status === 403) return 'not_allowed';
  return status === 429 ? 'rate_limit' : 'invalid';
}
