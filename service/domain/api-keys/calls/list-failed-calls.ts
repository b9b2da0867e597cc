import type { FailedCall } from '#lib/contract/api-keys/failed-calls.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import { listFailedCallRows, type KeptFailedCall } from '../store/calls.ts';
import { findApiKeyId } from '../store/keys.ts';

/** Finds the path of a route by its name; null if there is no such route. */
export type PathOf = (route: string) => string | null;

/** The latest refused and failed calls of a key. @throws ServiceError NOT_FOUND */
export async function listFailedCalls(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  { apiKey, pathOf }: { apiKey: string; pathOf: PathOf },
): Promise<FailedCall[]> {
  const reference = parseResourceReference(apiKey);
  const apiKeyId = reference && (await findApiKeyId(ctx.db, actor.accountId, reference));
  if (!apiKeyId) throw notFound();
  const latest = await listFailedCallRows(ctx.db, actor.accountId, { apiKeyId });
  return latest.map((call) => describeFailedCall(call, pathOf));
}

/** The refused or failed calls of the actor's account with a request id. */
export async function findFailedCalls(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  { requestId, pathOf }: { requestId: string; pathOf: PathOf },
): Promise<FailedCall[]> {
  const calls = await listFailedCallRows(ctx.db, actor.accountId, { requestId });
  return calls.map((call) => describeFailedCall(call, pathOf));
}

function describeFailedCall(call: KeptFailedCall, pathOf: PathOf): FailedCall {
  return {
    request_id: call.requestId,
    at: formatApiTime(call.at),
    method: call.method,
    path: call.route && pathOf(call.route),
    status: call.status,
    reason: call.reason,
    address: call.address,
    user_agent: call.userAgent,
    api_key: { uuid: call.keyUuid, name: call.keyName },
  };
}
