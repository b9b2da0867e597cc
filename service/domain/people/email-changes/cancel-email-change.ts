import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { confirmSession } from '../sessions/confirm-session.ts';
import { currentSessionId } from '../sessions/current-session-id.ts';
import { cancelEmailChanges, findPendingEmailChange } from '../store/email-changes.ts';
import { lockPerson } from '../store/people.ts';

/**
 * Cancels the actor's change of email that waits to be confirmed, if there is one. The link to undo
 * it, which was emailed to the present address, still works: whoever requested the change has a
 * session and the password, and may have stolen them.
 *
 * @throws ServiceError UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function cancelEmailChange(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<void> {
  const { personId, origin } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  await ctx.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    await confirmSession(tx, { personId, sessionId });
    const now = ctx.clock.now();
    const pending = await findPendingEmailChange(tx, { personId, now });
    if (!person || !pending) return;
    await cancelEmailChanges(tx, personId);
    await recordInAccounts(tx, {
      person,
      origin,
      action: 'person.email_change_cancelled',
      now,
      changes: { new_email: pending.newEmail },
    });
  });
}
