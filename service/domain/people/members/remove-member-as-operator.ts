import { mintAccountId } from '../../account-id.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { deleteMember, listMemberships, lockMembership, lockOwners } from '../store/members.ts';
import { findPersonByEmail } from '../store/people.ts';
import { deleteSessions, deleteSessionsInAccount } from '../store/sessions.ts';
import { findAccountAsOperator } from './find-account-as-operator.ts';
import type { UnclearAccount } from './find-account-as-operator.ts';
import { operator } from './operator.ts';
import type { OperatorContext } from './operator.ts';

type Account = { id: string; name: string };

/**
 * What came of removing a member.
 *
 * - `no_member`: nobody with this e-mail belongs to the account.
 * - `last_owner`: nothing changed, since nobody would be left to own the account.
 * - `removed`: `hasOtherAccounts` says whether they can still sign in.
 */
export type RemovedMember =
  | UnclearAccount
  | { kind: 'no_member'; account: Account }
  | { kind: 'last_owner'; account: Account }
  | { kind: 'removed'; account: Account; endedSessions: number; hasOtherAccounts: boolean };

/**
 * Removes somebody from an account for an operator at the terminal. Their sessions that work in it
 * end; one that works in another account goes on there, and can no longer reach this one.
 */
export async function removeMemberAsOperator(
  ctx: OperatorContext,
  wanted: { account: string; email: string },
): Promise<RemovedMember> {
  return await ctx.db.transaction(async (tx) => {
    const found = await findAccountAsOperator(tx, wanted.account);
    if (found.kind !== 'found') return found;
    const { account } = found;
    const accountId = mintAccountId(account.id);
    const person = await findPersonByEmail(tx, wanted.email);
    if (!person) return { kind: 'no_member', account };
    const personId = person.id;
    const owners = await lockOwners(tx, accountId);
    const membership = await lockMembership(tx, accountId, personId);
    if (!membership) return { kind: 'no_member', account };
    if (owners.length === 1 && owners[0] === personId) return { kind: 'last_owner', account };

    const memberships = await listMemberships(tx, personId);
    const isJoinedFirst = memberships[0]?.accountId === accountId;
    const hasOtherAccounts = memberships.length > 1;
    await deleteMember(tx, { accountId, personId });
    const endedSessions = hasOtherAccounts
      ? await deleteSessionsInAccount(tx, { personId, accountId, isJoinedFirst })
      : await deleteSessions(tx, { personId });
    await recordAudit(tx, {
      accountId,
      by: operator,
      origin: null,
      action: 'member.removed',
      at: ctx.clock.now(),
      target: { kind: 'person', id: personId, name: person.name },
      changes: { email: person.email, role: membership.role, ended_sessions: endedSessions },
    });
    return { kind: 'removed', account, endedSessions, hasOtherAccounts };
  });
}
