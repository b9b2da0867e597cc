import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { listMemberRows } from '../store/members.ts';
import type { MemberRow } from '../store/members.ts';

/** A member of any account. */
export type Member = MemberRow;

/** The members of an account with their roles, by name. */
export async function listMembers(db: Db | Tx, accountId: AccountId): Promise<MemberRow[]> {
  return await listMemberRows(db, accountId);
}
