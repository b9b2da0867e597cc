import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { listMemberNames } from '../store/members.ts';

/** Names of members of an account by their ids. */
export type MemberNames = ReadonlyMap<string, string>;

/** The names of those of these people who belong to the account. */
export async function findMemberNames(
  db: Db | Tx,
  accountId: AccountId,
  ids: readonly string[],
): Promise<MemberNames> {
  return ids.length === 0 ? new Map() : await listMemberNames(db, accountId, ids);
}
