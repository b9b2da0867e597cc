import type { z } from 'zod';
import type { declineInput } from '#lib/contract/api-keys/rotation-requests.ts';
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
 * Declines a request for the member it names, with the reason that whoever asked is told. Done again,
 * it changes nothing. The message stays out of the audit log, as the note of the request does.
 *
 * @throws ServiceError NOT_FOUND to anybody else; VALIDATION_ERROR with `details.rotation_request`
 *   if something else became of it
 */
export async function declineRotationRequest(
  ctx: Context,
  actor: PersonActor,
  input: { rotationRequest: string } & z.output<typeof declineInput>,
): Promise<void> {
  const uuid = parseRequestUuid(input.rotationRequest);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await confirmMember(tx, actor, 'api-keys.rotate');
    const locked = await lockRotationRequest(tx, actor.accountId, uuid);
    const found = locked && (await findRotationRequest(tx, actor.accountId, uuid));
    if (found?.request.memberId !== actor.personId) throw notFound();
    const { request, key } = found;
    if (request.state === 'declined') return;
    refuseClosedRequest(request, now);
    await closeRequestRow(tx, request, {
      state: 'declined',
      closedAt: now,
      closedBy: actorReference(actor),
      declineReason: input.reason,
      declineMessage: input.message || null,
    });
    await recordAudit(tx, {
      actor,
      action: 'rotation_request.declined',
      at: now,
      target: { kind: 'rotation_request', id: uuid, name: key.name },
      changes: { reason: input.reason },
    });
  });
}
