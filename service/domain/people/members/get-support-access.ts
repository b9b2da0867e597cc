import type { SupportAccess } from '#lib/contract/rights/member-rights.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { readSupportAccess } from '../store/members.ts';

/** The present support access of an account. */
export async function getSupportAccess(db: Db | Tx, accountId: AccountId): Promise<SupportAccess> {
  return await readSupportAccess(db, accountId);
}
