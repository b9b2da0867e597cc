import type { Role } from '#lib/contract/rights/roles.ts';
import type { Tx } from '../../../../db/open.ts';
import { mintAccountId, type AccountId } from '../../../account-id.ts';
import { recordAudit } from '../../../audit/record-audit.ts';
import { createNotices, sendNotices, type Notice } from '../../notices/notices.ts';
import { revokeInvitationsBy } from '../../invitations/revoke-invitation.ts';
import { insertMember, lockMembership, lockOwners, updateMemberRole } from '../../store/members.ts';
import { findPersonByEmail, lockPersonByEmail } from '../../store/people.ts';
import {
  ensurePerson,
  mailReplacedPassword,
  preparePassword,
  type Access,
} from '../ensure-person.ts';
import { notifyMemberJoined } from '../member-joined-mail.ts';
import { listMembers } from '../read-members.ts';
import { memberRemovedMail, roleChangedMail } from '../membership-mails.ts';
import { removeMembership } from '../remove-member.ts';
import { plainName } from '../../../quote-name.ts';
import { findAccountAsOperator, type AmbiguousAccount } from './accounts-as-operator.ts';
import { operator, type OperatorContext } from './operator.ts';

type ListedMembers =
  | AmbiguousAccount
  | { kind: 'found'; members: { name: string; email: string; role: Role }[] };

/** The members of the account that an operator names. */
export async function listMembersAsOperator(
  { db }: OperatorContext,
  account: string,
): Promise<ListedMembers> {
  const found = await findAccountAsOperator(db, account);
  if (found.kind !== 'found') return found;
  return { kind: 'found', members: await listMembers(db, mintAccountId(found.account.id)) };
}

type Account = { id: string; name: string };

/**
 * The result of adding a member.
 *
 * - `added`, `changed`: `access` says how they sign in.
 * - `changed`, `unchanged`: they were already a member.
 * - `last_owner`: nothing changed, because the account would have no owner left.
 */
export type AddedMember =
  | AmbiguousAccount
  | { kind: 'added'; account: Account; access: Access; notices: Notice[] }
  | { kind: 'changed'; account: Account; from: Role; access: Access; notices: Notice[] }
  | { kind: 'unchanged'; account: Account }
  | { kind: 'last_owner'; account: Account };

/** Adds a member or changes a role for an operator; the person gets an email, as from a member. */
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

    const { person, access } = await ensurePerson(tx, { known, email, ...password, now });
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
    if (from) {
      const change = { accountId, role, previousRole: from, changedBy: operator.name };
      const told = await createNotices(tx, {
        accountId,
        to: { personId: person.id },
        subjectId: person.id,
        occasion: now.toISOString(),
        now,
        mail: () => roleChangedMail(ctx, change),
      });
      return { kind: 'changed', account, from, access, notices: told };
    }
    const joined = { accountId, person, role, addedBy: operator.name, now };
    const notices = await notifyMemberJoined(tx, ctx, joined);
    return { kind: 'added', account, access, notices };
  });
  if ('notices' in added) sendNotices(ctx, added.notices);
  if ('access' in added) mailReplacedPassword(ctx, { email: wanted.email, access: added.access });
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

/**
 * The result of removing a member.
 *
 * - `no_member`: nobody with this email belongs to the account.
 * - `last_owner`: nothing changed, because the account would have no owner left.
 * - `removed`: `hasOtherAccounts` says whether they can still sign in.
 */
export type RemovedMember =
  | AmbiguousAccount
  | { kind: 'no_member'; account: Account }
  | { kind: 'last_owner'; account: Account }
  | {
      kind: 'removed';
      account: Account;
      endedSessions: number;
      hasOtherAccounts: boolean;
      /** The name of the person. */
      name: string;
    };

/**
 * Removes someone from an account for an operator at the terminal. Their sessions that work in
 * this account end; sessions that work in another account continue there, and can no longer open
 * this one. They get an email.
 */
export async function removeMemberAsOperator(
  ctx: OperatorContext,
  wanted: { account: string; email: string },
): Promise<RemovedMember> {
  const removed = await ctx.db.transaction<RemovedMember>(async (tx) => {
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

    const { endedSessions, hasOtherAccounts } = await removeMembership(ctx, tx, {
      accountId,
      member: { ...person, role: membership.role },
      by: operator,
      origin: null,
      action: 'member.removed',
      now: ctx.clock.now(),
    });
    return { kind: 'removed', account, endedSessions, hasOtherAccounts, name: person.name };
  });
  if (removed.kind === 'removed') {
    const change = { accountName: removed.account.name, removedBy: operator.name };
    const to = { to: wanted.email, name: plainName(removed.name) };
    ctx.mail.send({ ...memberRemovedMail(ctx, change), ...to });
  }
  return removed;
}
