import type { Role } from '#lib/contract/rights/roles.ts';
import type { Tx } from '../../../../db/open.ts';
import { mintAccountId } from '../../../account-id.ts';
import type { AccountId } from '../../../account-id.ts';
import { recordAudit } from '../../../audit/record-audit.ts';
import type { Notice } from '../../../notices/create-notices.ts';
import { sendNotices } from '../../../notices/send-notices.ts';
import { notifyMemberJoined } from '../member-joined-mail.ts';
import { revokeInvitationsBy } from '../../invitations/revoke-invitations-by.ts';
import { findAccountAsOperator } from './find-account-as-operator.ts';
import type { UnclearAccount } from './find-account-as-operator.ts';
import { admitPerson, mailAdmitted, preparePassword } from '../admit-person.ts';
import type { Access } from '../admit-person.ts';
import { operator } from './operator.ts';
import type { OperatorContext } from './operator.ts';
import { insertMember, lockOwners, updateMemberRole } from '../../store/members.ts';
import { lockPersonByEmail } from '../../store/people.ts';

type Account = { id: string; name: string };

/**
 * The result of adding a member.
 *
 * - `added`, `changed`: `access` says how they sign in.
 * - `changed`, `unchanged`: they were already a member.
 * - `last_owner`: nothing changed, because the account would have no owner left.
 */
export type AddedMember =
  | UnclearAccount
  | { kind: 'added'; account: Account; access: Access; notices: Notice[] }
  | { kind: 'changed'; account: Account; from: Role; access: Access }
  | { kind: 'unchanged'; account: Account }
  | { kind: 'last_owner'; account: Account };

/** Adds a member to an account, or changes their role, for an operator at the terminal. */
export async function addMemberAsOperator(
  ctx: OperatorContext,
  wanted: { account: string; email: string; role: Role },
): Promise<AddedMember> {
  const password = await preparePassword(ctx);
  const added = await ctx.db.transaction<AddedMember>(async (tx) => {
    const found = await findAccountAsOperator(tx, wanted.account);
    if (found.kind !== 'found') return found;
    const { account } = found;
    const accountId = mintAccountId(account.id);
    const { email, role } = wanted;
    const now = ctx.clock.now();
    const owners = await lockOwners(tx, accountId);
    const known = await lockPersonByEmail(tx, email);
    const from = known && (await changeRole(tx, { accountId, owners, personId: known.id, role }));
    if (from === role) return { kind: 'unchanged', account };
    if (from === 'last_owner') return { kind: 'last_owner', account };

    const { person, access } = await admitPerson(tx, { known, email, ...password, now });
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
    if (from) return { kind: 'changed', account, from, access };
    const joined = { accountId, person, role, addedBy: operator.name, now };
    const notices = await notifyMemberJoined(tx, ctx, joined);
    return { kind: 'added', account, access, notices };
  });
  if (added.kind === 'added') sendNotices(ctx, added.notices);
  if ('access' in added) mailAdmitted(ctx, { email: wanted.email, access: added.access });
  return added;
}

/** The role that a member had before; null if they are not a member. */
async function changeRole(
  tx: Tx,
  {
    accountId,
    owners,
    personId,
    role,
  }: { accountId: AccountId; owners: readonly string[]; personId: string; role: Role },
): Promise<Role | 'last_owner' | null> {
  const isLastOwner = owners.length === 1 && owners[0] === personId;
  if (isLastOwner && role !== 'owner') return 'last_owner';
  return await updateMemberRole(tx, { accountId, personId, role });
}
