import type { Context } from '../../context.ts';
import { actorReference } from '../actor.ts';
import type { PersonActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notFound } from '../errors.ts';
import { confirmMember } from '../people/members/confirm-member.ts';
import { parseRequestUuid } from './parse-request-uuid.ts';
import { refuseClosedRequest } from './rules.ts';
import { closeRequestRow, findRotationRequest, lockRotationRequest } from './store.ts';

/**
 * Withdraws a request for whoever made it. Done again, it changes nothing.
 *
 * @throws ServiceError NOT_FOUND to anybody else; VALIDATION_ERROR with `details.rotation_request`
 *   if something else became of it
 */
export async function withdrawRotationRequest(
  ctx: Context,
  actor: PersonActor,
  input: { rotationRequest: string },
): Promise<void> {
  const uuid = parseRequestUuid(input.rotationRequest);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await confirmMember(tx, actor, 'api-keys.rotate');
    const locked = await lockRotationRequest(tx, actor.accountId, uuid);
    const found = locked && (await findRotationRequest(tx, actor.accountId, uuid));
    if (found?.request.requestedById !== actor.personId) throw notFound();
    const { request, key } = found;
    if (request.state === 'withdrawn') return;
    refuseClosedRequest(request, now);
    await closeRequestRow(tx, request, {
      state: 'withdrawn',
      closedAt: now,
      closedBy: actorReference(actor),
    });
    await recordAudit(tx, {
      actor,
      action: 'rotation_request.withdrawn',
      at: now,
      target: { kind: 'rotation_request', id: uuid, name: key.name },
    });
  });
}
