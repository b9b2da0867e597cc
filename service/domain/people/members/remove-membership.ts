import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';
import type { Origin } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { findableMemberships } from '../accounts/deletion.ts';
import { closeRequestsOfMember } from '../../rotation-requests/outcomes/close-requests-of-member.ts';
import { revokeInvitationsBy } from '../invitations/revoke-invitations-by.ts';
import { isInstallationSupport } from '../store/installation-support.ts';
import { deleteMember, listMemberships } from '../store/members.ts';
import type { MemberRow } from '../store/members.ts';
import { updatePerson } from '../store/people.ts';
import { deleteSessions, deleteSessionsInAccount } from '../store/sessions.ts';

/**
 * Ends a person's membership in an account: their sessions there end, and so do the invitations
 * they made and the rotation requests that they made or that name them. The account's owners must
 * be locked, and one must remain.
 *
 * @param options.keepsSessions whether sessions continue in the person's other accounts
 * @returns `hasOtherAccounts`: whether there is another account that they can open, also as
 *   installation support; only its owners can open one that is being deleted
 */
export async function removeMembership(
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
  await closeRequestsOfMember(tx, { accountId, personId, by, origin, now });
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
