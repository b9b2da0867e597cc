import type { z } from 'zod';
import type { declineInput } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { closeNamedRequest } from './close-named-request.ts';

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
