import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { closeNamedRequest } from './close-named-request.ts';

/**
 * Withdraws a request for whoever made it.
 * @throws ServiceError as `closeNamedRequest` does
 */
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
