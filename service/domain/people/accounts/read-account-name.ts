import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { readAccount } from '../store/accounts.ts';

export async function readAccountName(db: Db | Tx, accountId: AccountId): Promise<string> {
  return (await readAccount(db, accountId)).name;
}
