import type { Context } from '../../../../context.ts';
import type { PersonActor } from '../../../actor.ts';
import { notFound } from '../../../errors.ts';
import { parseUuid } from '../../../resource-reference.ts';
import { quoteName } from '../../../quote-name.ts';
import { deletePasskey } from '../../store/second-factors.ts';
import { removeFactor } from '../remove-factor.ts';

/** @throws ServiceError NOT_FOUND; those of `removeFactor` */
export async function removePasskey(
  ctx: Context,
  actor: PersonActor,
  { passkey, sessionToken }: { passkey: string; sessionToken: string },
): Promise<void> {
  const uuid = parseUuid(passkey);
  await removeFactor(ctx, actor, {
    kind: 'passkey',
    sessionToken,
    async remove(tx) {
      const removed = await deletePasskey(tx, { personId: actor.personId, uuid });
      if (!removed) throw notFound();
      return `The passkey ${quoteName(removed.name)}`;
    },
  });
}
