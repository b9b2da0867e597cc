import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Context } from '../../context.ts';
import type { AppEnv } from '../call.ts';
import { createAccessLog } from '../../log/access-log.ts';
import { redactSecrets } from '../../log/redact.ts';
import { clientAddressHeader } from '../listener/client-address.ts';

const acceptableId = /^[A-Za-z0-9_-]{1,64}$/;

function isAcceptable(id: string): boolean {
  return acceptableId.test(id) && redactSecrets(id) === id;
}

/**
 * Names the request and its origin, answers it uncacheable, and writes its one log line.
 * A client's own `X-Request-Id` is kept if it is a plain word, and no token or secret.
 */
export function identify(ctx: Context): MiddlewareHandler<AppEnv> {
  const logAccess = createAccessLog(ctx.log, ctx.config.logAccess);
  return async (call, next) => {
    const started = performance.now();
    const given = call.req.header('X-Request-Id');
    const requestId = given && isAcceptable(given) ? given : randomUUID();
    call.set('requestId', requestId);
    call.set('caller', null);
    call.set('origin', {
      ip: call.req.header(clientAddressHeader) ?? '0.0.0.0',
      userAgent: call.req.header('User-Agent')?.slice(0, 512) ?? null,
      requestId,
    });
    call.header('X-Request-Id', requestId);
    call.header('Cache-Control', 'no-store');
    await next();
    const caller = call.get('caller');
    logAccess({
      request_id: requestId,
      method: call.req.method,
      route: call.get('routeName') ?? null,
      status: call.res.status,
      duration_ms: Math.round((performance.now() - started) * 10) / 10,
      ip: call.get('origin').ip,
      account_id: caller?.accountId ?? null,
      actor: caller?.name ?? null,
    });
  };
}
