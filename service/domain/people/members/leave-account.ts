import type { Context } from '../../../context.ts';
import { actorReference } from '../../actor.ts';
import type { PersonActor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { findMemberRow, lockOwners } from '../store/members.ts';
import { removeMembership } from './remove-membership.ts';
import { refuseLastOwner } from './rules.ts';

/**
 * Ends the actor's membership in the account. Their sessions continue in their other accounts; if
 * they have none, they are signed out.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.member` for the last owner
 */
export async function leaveAccount(
  ctx: Context,
  actor: PersonActor,
): Promise<{ hasOtherAccounts: boolean }> {
  const { accountId, personId, origin } = actor;
  return await ctx.db.transaction(async (tx) => {
    const owners = await lockOwners(tx, accountId);
    const member = await findMemberRow(tx, accountId, personId);
    if (!member) throw notFound();
    refuseLastOwner(owners, {
      personId,
      field: 'member',
      message: 'You are the only owner. Make another member an owner first.',
    });
    return await removeMembership(tx, {
      accountId,
      member,
      by: actorReference(actor),
      origin,
      action: 'member.left',
      keepsSessions: true,
      now: ctx.clock.now(),
    });
  });
}
