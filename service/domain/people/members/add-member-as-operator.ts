import type { Role } from '#lib/contract/roles.ts';
import type { Tx } from '../../../db/open.ts';
import { mintAccountId } from '../../account-id.ts';
import type { AccountId } from '../../account-id.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { revokeInvitationsBy } from '../invitations/revoke-invitations-by.ts';
import { findAccountAsOperator } from './find-account-as-operator.ts';
import type { UnclearAccount } from './find-account-as-operator.ts';
import { addPerson } from '../add-person.ts';
import { nameFromEmail } from './name-from-email.ts';
import { newPassword } from '../passwords/new-password.ts';
import { operator } from './operator.ts';
import type { OperatorContext } from './operator.ts';
import { insertMember, lockOwners, updateMemberRole } from '../store/members.ts';
import { findPersonByEmail } from '../store/people.ts';

type Account = { id: string; name: string };

/**
 * What came of adding a member.
 *
 * - `added`: `password` is the one a new person signs in with, and the only copy; null if they
 *   have one already.
 * - `changed`, `unchanged`: they were a member before.
 * - `last_owner`: nothing changed, since nobody would be left to own the account.
 */
export type AddedMember =
  | UnclearAccount
  | { kind: 'added'; account: Account; password: string | null }
  | { kind: 'changed'; account: Account; from: Role }
  | { kind: 'unchanged'; account: Account }
  | { kind: 'last_owner'; account: Account };

/** Makes somebody a member of an account for an operator at the terminal, or changes their role. */
export async function addMemberAsOperator(
  ctx: OperatorContext,
  wanted: { account: string; email: string; role: Role },
): Promise<AddedMember> {
  const password = newPassword();
  const passwordHash = await ctx.auth.hashPassword(password);
  return await ctx.db.transaction(async (tx) => {
    const found = await findAccountAsOperator(tx, wanted.account);
    if (found.kind !== 'found') return found;
    const { account } = found;
    const accountId = mintAccountId(account.id);
    const { email, role } = wanted;
    const now = ctx.clock.now();
    const known = await findPersonByEmail(tx, email);
    const person = known ?? { id: crypto.randomUUID(), name: nameFromEmail(email), email };
    const from = known && (await changeRole(tx, { accountId, personId: person.id, role }));
    if (from === role) return { kind: 'unchanged', account };
    if (from === 'last_owner') return { kind: 'last_owner', account };

    if (!known) await addPerson(tx, { ...person, passwordHash, now });
    if (from) {
      const about = { accountId, personId: person.id, role, by: operator, origin: null, now };
      await revokeInvitationsBy(tx, about);
    }
    if (!from) await insertMember(tx, { accountId, personId: person.id, role, createdAt: now });
    await recordAudit(tx, {
      accountId,
      by: operator,
      origin: null,
      action: from ? 'member.role_changed' : 'member.added',
      at: now,
      target: { kind: 'person', id: person.id, name: person.name },
      changes: { email, role, ...(from && { previous_role: from }) },
    });
    if (from) return { kind: 'changed', account, from };
    return { kind: 'added', account, password: known ? null : password };
  });
}

/** The role a member had before; null if they are no member. */
async function changeRole(
  tx: Tx,
  { accountId, personId, role }: { accountId: AccountId; personId: string; role: Role },
): Promise<Role | 'last_owner' | null> {
  const owners = await lockOwners(tx, accountId);
  const isLastOwner = owners.length === 1 && owners[0] === personId;
  if (isLastOwner && role !== 'owner') return 'last_owner';
  return await updateMemberRole(tx, { accountId, personId, role });
}
