import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { ServiceError } from '../errors.ts';
import { recordInAccounts } from './record-in-accounts.ts';
import { confirmSession, currentSessionId } from './sessions/find-session.ts';
import { lockPerson, updatePerson } from './store/people.ts';

/**
 * Changes the actor's name in all of their accounts. The same name again changes nothing and is not
 * audited.
 *
 * @throws ServiceError UNAUTHORIZED if the person is gone or the session of the call ended in the
 *   meantime
 */
export async function renamePerson(
  ctx: Context,
  actor: PersonActor,
  { name, sessionToken }: { name: string; sessionToken: string },
): Promise<{ name: string }> {
  const { personId, origin } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  await ctx.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    if (!person) throw new ServiceError('UNAUTHORIZED');
    await confirmSession(tx, { personId, sessionId });
    if (person.name === name) return;
    const now = ctx.clock.now();
    await updatePerson(tx, personId, { name, updatedAt: now });
    await recordInAccounts(tx, {
      person: { id: personId, name },
      origin,
      action: 'person.renamed',
      now,
      changes: { name, previous_name: person.name },
    });
  });
  return { name };
}
