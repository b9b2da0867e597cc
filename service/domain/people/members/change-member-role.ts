import type { Member } from '#lib/contract/people/members.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Context } from '../../../context.ts';
import { actorReference } from '../../actor.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { notFound } from '../../errors.ts';
import { revokeInvitationsBy } from '../invitations/revoke-invitation.ts';
import { findMemberRow, lockOwners, updateMemberRole } from '../store/members.ts';
import { confirmMember } from './confirm-member.ts';
import { describeMember } from './read-members.ts';
import { createNotices, sendNotices } from '../notices/notices.ts';
import { roleChangedMail } from './membership-mails.ts';
import { refuseLastOwner, refuseUnlessOwner } from './rules.ts';

/**
 * Changes the role of a member, who gets an email about it. Setting the same role again changes
 * nothing and is not audited.
 *
 * @throws ServiceError NOT_FOUND if they are not a member; FORBIDDEN if either role is owner and
 *   the actor is not an owner; VALIDATION_ERROR with `details.role` for the last owner
 */
export async function changeMemberRole(
  ctx: Context,
  actor: PersonActor,
  { member: personId, role }: { member: string; role: Role },
): Promise<Member> {
  const { accountId } = actor;
  const { changed, notices } = await ctx.db.transaction(async (tx) => {
    // First, so that concurrent changes of one team run one after the other.
    const owners = await lockOwners(tx, accountId);
    const current = await confirmMember(tx, actor, 'team.manage');
    const member = await findMemberRow(tx, accountId, personId);
    if (!member) throw notFound();
    refuseUnlessOwner(current, [member.role, role]);
    if (member.role === role) return { changed: member, notices: [] };
    refuseLastOwner(owners, {
      personId,
      field: 'role',
      message: 'This is the only owner. Make another member an owner first.',
    });
    await updateMemberRole(tx, { accountId, personId, role });
    const now = ctx.clock.now();
    const by = actorReference(actor);
    await revokeInvitationsBy(tx, { accountId, personId, role, by, origin: actor.origin, now });
    await recordAudit(tx, {
      actor,
      action: 'member.role_changed',
      at: now,
      target: { kind: 'person', id: personId, name: member.name },
      changes: { email: member.email, role, previous_role: member.role },
    });
    const change = { accountId, role, previousRole: member.role, changedBy: actor.personName };
    const told = await createNotices(tx, {
      accountId,
      to: { personId },
      except: actor.personId,
      subjectId: personId,
      occasion: now.toISOString(),
      now,
      mail: () => roleChangedMail(ctx, change),
    });
    return { changed: { ...member, role }, notices: told };
  });
  sendNotices(ctx, notices);
  return describeMember(changed);
}
