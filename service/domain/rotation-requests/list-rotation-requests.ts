import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { describeRotationRequest } from './describe-rotation-request.ts';
import { obstacleOf } from './rules.ts';
import { listOpenRequestsOf } from './store/request-records.ts';

/**
 * The open requests that a person made or that name them, and every open report of a leak, newest
 * first. Requests that can no longer be done are left out: those past their
 * deadline, of an expired key, or naming a member who left or may no longer be shown the token. If
 * the person who made a request left, it stays, because its reason still applies.
 */
export async function listRotationRequests(
  ctx: Context,
  actor: PersonActor,
): Promise<RotationRequest[]> {
  const now = ctx.clock.now();
  const records = await listOpenRequestsOf(ctx.db, actor.accountId, {
    personId: actor.personId,
    now,
  });
  return records
    .filter((record) => obstacleOf(record, now) === null)
    .map((record) => describeRotationRequest(record, now));
}
