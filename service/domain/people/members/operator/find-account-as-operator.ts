import type { Db, Tx } from '../../../../db/open.ts';
import { isUuid } from '../../../resource-reference.ts';
import { listAccountRows } from '../../store/members.ts';
import type { AccountListRow } from '../../store/members.ts';

/** An account as operators see it in lists. */
export type ListedAccount = AccountListRow;

/** The text matches no account, or it is the name of several accounts. */
export type UnclearAccount =
  | { kind: 'no_account' }
  | { kind: 'many_accounts'; accounts: ListedAccount[] };

/** Finds the account that an operator names by its id or its name. */
export async function findAccountAsOperator(
  db: Db | Tx,
  text: string,
): Promise<UnclearAccount | { kind: 'found'; account: ListedAccount }> {
  const by = isUuid(text) ? { id: text.toLowerCase() } : { name: text };
  const accounts = await listAccountRows(db, by);
  const [account] = accounts;
  if (!account) return { kind: 'no_account' };
  return accounts.length > 1 ? { kind: 'many_accounts', accounts } : { kind: 'found', account };
}
