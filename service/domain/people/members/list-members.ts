import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { listMemberRows } from '../store/members.ts';
import type { MemberRow } from '../store/members.ts';

/** A member of an account, whichever. */
export type Member = MemberRow;

/** Who belongs to an account and as what, by name. */
export async function listMembers(db: Db | Tx, accountId: AccountId): Promise<MemberRow[]> {
  return await listMemberRows(db, accountId);
}
