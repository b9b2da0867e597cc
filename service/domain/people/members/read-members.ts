import type { Member as ShownMember } from '#lib/contract/people/members.ts';
import type { SupportAccess } from '#lib/contract/rights/member-rights.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { readAccount } from '../store/accounts.ts';
import { listAllowedSupporters } from '../store/installation-support.ts';
import {
  listMemberNames,
  listMemberRows,
  readSupportAccess,
  type MemberRow,
} from '../store/members.ts';

/** The members of the actor's account, by name. */
export async function getTeam(ctx: Context, actor: PersonActor): Promise<ShownMember[]> {
  return (await listMemberRows(ctx.db, actor.accountId)).map(describeMember);
}

/** A member as the dashboard shows them. */
export function describeMember(member: MemberRow): ShownMember {
  return {
    id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    added_at: formatApiTime(member.createdAt),
    last_seen_at: member.lastSeenAt && formatApiTime(member.lastSeenAt),
    last_seen_user_agent: member.lastSeenAgent,
    second_factor: { passkeys: member.passkeys, app: member.app },
  };
}

export type Member = MemberRow;

/** The members of an account with their roles, by name. */
export async function listMembers(db: Db | Tx, accountId: AccountId): Promise<MemberRow[]> {
  return await listMemberRows(db, accountId);
}

export type MemberNames = ReadonlyMap<string, string>;

/** The names of those of these people who belong to the account. */
export async function findMemberNames(
  db: Db | Tx,
  accountId: AccountId,
  ids: readonly string[],
): Promise<MemberNames> {
  return ids.length === 0 ? new Map() : await listMemberNames(db, accountId, ids);
}

/** The ids of the people who can open the account: members, and allowed installation support. */
export async function listPeopleWithAccess(
  db: Db | Tx,
  accountId: AccountId,
): Promise<ReadonlySet<string>> {
  const members = await listMemberRows(db, accountId);
  const supporters = await listAllowedSupporters(db, accountId);
  return new Set([...members.map(({ id }) => id), ...supporters]);
}

/** The present support access of an account. */
export async function getSupportAccess(db: Db | Tx, accountId: AccountId): Promise<SupportAccess> {
  return await readSupportAccess(db, accountId);
}

export async function readAccountName(db: Db | Tx, accountId: AccountId): Promise<string> {
  return (await readAccount(db, accountId)).name;
}
