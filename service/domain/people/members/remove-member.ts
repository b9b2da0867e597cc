import type { Context } from '../../../context.ts';
import { actorReference } from '../../actor.ts';
import type { PersonActor } from '../../actor.ts';
import { invalid, notFound } from '../../errors.ts';
import { findMemberRow, lockOwners } from '../store/members.ts';
import { confirmMember } from './confirm-member.ts';
import { removeMembership } from './remove-membership.ts';
import { refuseUnlessOwner } from './rules.ts';

/**
 * Removes a member from the account. What they created stays, and tokens that were shown to them
 * keep working: `listShownSecrets` names them.
 *
 * @throws ServiceError NOT_FOUND if they are not a member; FORBIDDEN for an owner if the actor is
 *   not an owner; VALIDATION_ERROR with `details.member` for the actor, who has to leave instead
 */
export async function removeMember(
  ctx: Context,
  actor: PersonActor,
  { member: personId }: { member: string },
): Promise<void> {
  const { accountId, origin } = actor;
  await ctx.db.transaction(async (tx) => {
    // First, so that concurrent changes of one team run one after the other. One owner always
    // remains: only an owner can remove another owner, and nobody can remove themselves.
    await lockOwners(tx, accountId);
    const current = await confirmMember(tx, actor, 'team.manage');
    if (personId === actor.personId) {
      throw invalid('member', 'This is you. Leave the account instead.');
    }
    const member = await findMemberRow(tx, accountId, personId);
    if (!member) throw notFound();
    refuseUnlessOwner(current, [member.role]);
    const now = ctx.clock.now();
    const by = actorReference(actor);
    await removeMembership(tx, { accountId, member, by, origin, action: 'member.removed', now });
  });
}
