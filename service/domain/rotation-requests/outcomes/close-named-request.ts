import type { z } from 'zod';
import type { declineInput } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Context } from '../../../context.ts';
import { actorReference, type PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { notFound } from '../../errors.ts';
import { confirmMember } from '../../people/members/confirm-member.ts';
import { parseUuid } from '../../resource-reference.ts';
import { refuseClosedRequest } from '../rules.ts';
import { findRotationRequest, targetOf } from '../store/request-records.ts';
import {
  closeRequestRow,
  lockRotationRequest,
  type RequestClosing,
  type RotationRequestRow,
} from '../store/requests.ts';

/** Withdraws a request for its author. @throws ServiceError as `closeNamedRequest` does */
export async function withdrawRotationRequest(
  ctx: Context,
  actor: PersonActor,
  { rotationRequest }: { rotationRequest: string },
): Promise<void> {
  await closeNamedRequest(ctx, actor, {
    rotationRequest,
    isFor: ({ requestedById }) => requestedById === actor.personId,
    closing: { state: 'withdrawn' },
  });
}

/**
 * Declines a request for the member it names, with a reason for the person who made it. The message
 * stays out of the audit log, like the note of the request.
 *
 * @throws ServiceError as `closeNamedRequest` does
 */
export async function declineRotationRequest(
  ctx: Context,
  actor: PersonActor,
  input: { rotationRequest: string } & z.output<typeof declineInput>,
): Promise<void> {
  const { rotationRequest, reason, message } = input;
  await closeNamedRequest(ctx, actor, {
    rotationRequest,
    isFor: ({ memberId }) => memberId === actor.personId,
    closing: { state: 'declined', declineReason: reason, declineMessage: message || null },
    changes: { reason },
  });
}

/**
 * Closes the open request that a path names, for the person who may close it in this way. Closing
 * it again changes nothing.
 *
 * @param options.isFor whether the actor may close the request in this way
 * @throws ServiceError NOT_FOUND to anyone else; VALIDATION_ERROR with `details.rotation_request`
 *   if the request ended in another way
 */
async function closeNamedRequest(
  ctx: Context,
  actor: PersonActor,
  {
    rotationRequest,
    isFor,
    closing,
    changes,
  }: {
    rotationRequest: string;
    isFor: (request: RotationRequestRow) => boolean;
    closing: Omit<RequestClosing, 'closedAt' | 'closedBy'> & { state: 'declined' | 'withdrawn' };
    changes?: Record<string, unknown>;
  },
): Promise<void> {
  const uuid = parseUuid(rotationRequest);
  await ctx.db.transaction(async (tx) => {
    await confirmMember(tx, actor, 'requests.make');
    const locked = await lockRotationRequest(tx, actor.accountId, uuid);
    const found = locked && (await findRotationRequest(tx, actor.accountId, uuid));
    if (!found || !isFor(found.request)) throw notFound();
    // After the lock: the request may have expired while this call waited for it.
    const now = ctx.clock.now();
    const { request } = found;
    if (request.state === closing.state) return;
    refuseClosedRequest(request, now);
    const closedBy = actorReference(actor);
    await closeRequestRow(tx, request, { ...closing, closedAt: now, closedBy });
    await recordAudit(tx, {
      actor,
      action: `rotation_request.${closing.state}`,
      at: now,
      target: { kind: 'rotation_request', id: uuid, name: targetOf(found).name },
      ...(changes && { changes }),
    });
  });
}
