import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { seesEveryRequest } from '#lib/contract/api-keys/sees-every-request.ts';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { parseUuid } from '../resource-reference.ts';
import { describeRotationRequest } from './describe-rotation-request.ts';
import { findRotationRequest } from './store/request-records.ts';

/**
 * A request, whatever its state, for the person who made it, the member it names, and owners and
 * admins; a report of a leak for every member.
 * @throws ServiceError NOT_FOUND to anybody else
 */
export async function getRotationRequest(
  ctx: Context,
  actor: PersonActor,
  input: { rotationRequest: string },
): Promise<RotationRequest> {
  const uuid = parseUuid(input.rotationRequest);
  const found = await findRotationRequest(ctx.db, actor.accountId, uuid);
  if (!found) throw notFound();
  const { requestedById, memberId, reason } = found.request;
  const isInvolved = [requestedById, memberId].includes(actor.personId);
  if (!isInvolved && reason !== 'leaked' && !seesEveryRequest(actor.role)) throw notFound();
  return describeRotationRequest(found, ctx.clock.now());
}
