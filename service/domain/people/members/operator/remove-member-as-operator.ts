import { mintAccountId } from '../../../account-id.ts';
import { lockMembership, lockOwners } from '../../store/members.ts';
import { findPersonByEmail } from '../../store/people.ts';
import { findAccountAsOperator } from './find-account-as-operator.ts';
import type { UnclearAccount } from './find-account-as-operator.ts';
import { operator } from './operator.ts';
import type { OperatorContext } from './operator.ts';
import { removeMembership } from '../remove-membership.ts';

type Account = { id: string; name: string };

/**
 * The result of removing a member.
 *
 * - `no_member`: nobody with this email belongs to the account.
 * - `last_owner`: nothing changed, because the account would have no owner left.
 * - `removed`: `hasOtherAccounts` says whether they can still sign in.
 */
export type RemovedMember =
  | UnclearAccount
  | { kind: 'no_member'; account: Account }
  | { kind: 'last_owner'; account: Account }
  | { kind: 'removed'; account: Account; endedSessions: number; hasOtherAccounts: boolean };

/**
 * Removes somebody from an account for an operator at the terminal. Their sessions that work in
 * this account end; sessions that work in another account continue there, and can no longer open
 * this one.
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

    const { endedSessions, hasOtherAccounts } = await removeMembership(tx, {
      accountId,
      member: { ...person, role: membership.role },
      by: operator,
      origin: null,
      action: 'member.removed',
      now: ctx.clock.now(),
    });
    return { kind: 'removed', account, endedSessions, hasOtherAccounts };
  });
}
