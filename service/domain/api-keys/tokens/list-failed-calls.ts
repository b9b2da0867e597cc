import type { FailedCall, FailedCallsOfKey } from '#lib/contract/api-keys/failed-calls.ts';
import { dayMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import {
  listFailedCallCounts,
  listFailedCallRows,
  type KeptFailedCall,
} from '../store/failed-calls.ts';
import { findApiKeyId } from '../store/keys.ts';
import { startOfHour } from './pending-use.ts';

type Reading = Pick<Context, 'db' | 'clock'>;

/** Finds the path of a route by its name; null if there is no such route. */
type PathOf = (route: string) => string | null;

/**
 * The refused and failed calls of a key in the last 24 hours, by reason and hour, and the newest of
 * them. @throws ServiceError NOT_FOUND
 */
export async function listFailedCalls(
  ctx: Reading,
  actor: Actor,
  { apiKey, pathOf }: { apiKey: string; pathOf: PathOf },
): Promise<FailedCallsOfKey> {
  const { accountId } = actor;
  const reference = parseResourceReference(apiKey);
  const apiKeyId = reference && (await findApiKeyId(ctx.db, accountId, reference));
  if (!apiKeyId) throw notFound();
  const since = startOfHour(new Date(ctx.clock.now().getTime() - dayMs));
  const counts = await listFailedCallCounts(ctx.db, { accountId, apiKeyId, since });
  const latest = await listFailedCallRows(ctx.db, accountId, { apiKeyId });
  return {
    reasons: [...new Set(counts.map(({ reason }) => reason))].flatMap((reason) => {
      const hours = counts.filter((each) => each.reason === reason);
      const [last] = hours;
      if (!last) return [];
      return {
        reason,
        calls: hours.reduce((sum, { calls }) => sum + calls, 0),
        by_hour: hours.map(({ hour, calls }) => ({ hour: formatApiTime(hour), calls })),
        last_at: formatApiTime(last.lastAt),
        last_address: last.lastAddress,
      };
    }),
    latest: latest.map((call) => describeFailedCall(call, pathOf)),
  };
}

/** The refused or failed calls of the actor's account with a request id. */
export async function findFailedCalls(
  ctx: Reading,
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
