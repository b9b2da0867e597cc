import type { Context } from '../../../../context.ts';
import type { PersonActor } from '../../../actor.ts';
import { deleteApp } from '../../store/second-factors.ts';
import { removeFactor } from '../remove-factor.ts';

/**
 * Removes the person's authenticator app, if they have one.
 * @throws ServiceError those of `removeFactor`
 */
export async function removeApp(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<void> {
  await removeFactor(ctx, actor, {
    kind: 'app',
    sessionToken,
    async remove(tx) {
      return (await deleteApp(tx, actor.personId)) ? 'Your authenticator app' : null;
    },
  });
}
