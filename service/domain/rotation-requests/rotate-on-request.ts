import type { z } from 'zod';
import { rotateOnRequest as contract } from '#lib/contract/api-keys/rotation-requests.ts';
import type { rotationInput } from '#lib/contract/api-keys/rotation.ts';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { changeApiKey } from '../api-keys/change-api-key.ts';
import { repeatRotation } from '../api-keys/rotation/replace-unused-token.ts';
import { rotateLockedKey } from '../api-keys/rotation/rotate-api-key.ts';
import { notFound } from '../errors.ts';
import { sendNotices } from '../people/notices/notices.ts';
import { parseUuid } from '../resource-reference.ts';
import { refuseClosedRequest } from './rules.ts';
import { findRotationRequest } from './store/request-records.ts';
import { lockRotationRequest } from './store/requests.ts';

/**
 * Rotates the key of a request for the member it names, who is shown the new token. The transaction
 * that makes the token also closes the request as done: of two concurrent calls, one makes a token.
 * If the call is repeated with its `Idempotency-Key`, nothing is rotated again: the token it made
 * is replaced, unless it was used.
 *
 * @throws ServiceError NOT_FOUND to anyone but the named member; FORBIDDEN if the key reaches
 *   further than they may now; VALIDATION_ERROR with `details.rotation_request` if it is no longer
 *   open, on `Idempotency-Key` for a repeat that is refused, and as for any rotation
 */
export async function rotateOnRequest(
  ctx: Context,
  actor: PersonActor,
  input: { rotationRequest: string; idempotencyKey?: string | null } & z.output<
    typeof rotationInput
  >,
): Promise<{ token: string; message: string }> {
  const { idempotencyKey: key = null, ...request } = input;
  const uuid = parseUuid(input.rotationRequest);
  const found = await findRotationRequest(ctx.db, actor.accountId, uuid);
  if (!found?.key || found.request.memberId !== actor.personId) throw notFound();

  const { notices, ...rotated } = await changeApiKey(ctx, actor, {
    apiKey: String(found.key.id),
    act: 'api-keys.rotate',
    repeatable: { key, route: contract.name, request },
    change: async (locked) => {
      const { earlier, keep } = locked.claim;
      if (earlier) return await repeatRotation(ctx, actor, { ...locked, earlier });
      const open = await lockRotationRequest(locked.tx, actor.accountId, uuid);
      if (!open) throw notFound();
      refuseClosedRequest(open, locked.now);
      const { tokenId, ...rotation } = await rotateLockedKey(ctx, actor, {
        ...locked,
        input,
        fulfilled: open,
      });
      await keep({ apiKeyId: locked.key.id, tokenId, callerTokenId: null });
      return rotation;
    },
  });
  sendNotices(ctx, notices);
  return rotated;
}
