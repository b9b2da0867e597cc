import type { Context as HonoContext } from 'hono';
import type { Context } from '../context.ts';
import { createAccessLog } from '../log/access-log.ts';
import { Call } from './call.ts';
import { respondWithError } from './errors/respond-with-error.ts';

/**
 * Wraps a handler that may throw into a handler for the router: it identifies the request and its
 * origin, converts errors into responses, and writes the one log line of the request.
 *
 * @param route the route's name in the contract; null for a path without one
 */
export function serve(
  ctx: Pick<Context, 'log' | 'config' | 'outages'>,
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
