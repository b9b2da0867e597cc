import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';
import { actorReference, type Origin, type PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { runEffects } from '../../effects.ts';
import { invalid, notFound } from '../../errors.ts';
import { findableMemberships } from '../accounts/deletion.ts';
import { revokeInvitationsBy } from '../invitations/revoke-invitation.ts';
import { isInstallationSupport } from '../store/installation-support.ts';
import {
  deleteMember,
  findMemberRow,
  listMemberships,
  lockOwners,
  type MemberRow,
} from '../store/members.ts';
import { updatePerson } from '../store/people.ts';
import { deleteSessions, deleteSessionsInAccount } from '../store/sessions.ts';
import { plainName } from '../../quote-name.ts';
import { confirmMember } from './confirm-member.ts';
import { memberRemovedMail } from './membership-mails.ts';
import { readAccountName } from './read-members.ts';
import { refuseLastOwner, refuseUnlessOwner } from './rules.ts';

/**
 * Removes a member from the account, who gets an email about it. What they created stays, and tokens that were shown to them
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
  const removed = await ctx.db.transaction(async (tx) => {
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
    const removal = { accountId, member, by, origin, action: 'member.removed', now } as const;
    await removeMembership(ctx, tx, removal);
    return { ...member, accountName: await readAccountName(tx, accountId) };
  });
  const { accountName, email: to, name } = removed;
  const content = memberRemovedMail(ctx, { accountName, removedBy: actor.personName });
  ctx.mail.send({ ...content, to, name: plainName(name) });
}

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
    return await removeMembership(ctx, tx, {
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

/**
 * Ends a person's membership in an account: their sessions there end, and so do the invitations
 * they made. The account's owners must be locked, and one must remain.
 *
 * @param options.keepsSessions whether sessions continue in the person's other accounts
 * @returns `hasOtherAccounts`: whether there is another account that they can open, also as
 *   installation support; only its owners can open one that is being deleted
 */
export async function removeMembership(
  { effects }: Pick<Context, 'effects'>,
  tx: Tx,
  {
    accountId,
    member,
    by,
    origin,
    action,
    keepsSessions = false,
    now,
  }: {
    accountId: AccountId;
    member: Pick<MemberRow, 'id' | 'name' | 'email' | 'role'>;
    by: ActorReference;
    origin: Origin | null;
    action: 'member.removed' | 'member.left';
    keepsSessions?: boolean;
    now: Date;
  },
): Promise<{ endedSessions: number; hasOtherAccounts: boolean }> {
  const personId = member.id;
  const memberships = findableMemberships(await listMemberships(tx, personId), now);
  const opensFirst = memberships.find(({ deletedAt }) => deletedAt === null) ?? memberships[0];
  const isJoinedFirst = opensFirst?.accountId === accountId;
  const hasOtherAccounts =
    memberships.some((other) => other.accountId !== accountId) ||
    (await isInstallationSupport(tx, personId));
  await deleteMember(tx, { accountId, personId });
  let endedSessions = 0;
  if (!hasOtherAccounts) {
    endedSessions = await deleteSessions(tx, { personId });
    // The time until they are erased starts now.
    await updatePerson(tx, personId, { updatedAt: now });
  } else if (!keepsSessions) {
    endedSessions = await deleteSessionsInAccount(tx, { personId, accountId, isJoinedFirst });
  }
  await revokeInvitationsBy(tx, { accountId, personId, role: null, by, origin, now });
  const ended = { accountId, personId, because: 'requester_left', by, origin, now } as const;
  await runEffects(tx, effects.memberRemoved, ended);
  await recordAudit(tx, {
    accountId,
    by,
    origin,
    action,
    at: now,
    target: { kind: 'person', id: personId, name: member.name },
    changes: { email: member.email, role: member.role, ended_sessions: endedSessions },
  });
  return { endedSessions, hasOtherAccounts };
}
