import { listAccountRows } from '../../store/members.ts';
import type { AccountListRow } from '../../store/members.ts';
import type { OperatorContext } from './operator.ts';

/** Every account of the installation, the oldest first. */
export async function listAccountsAsOperator({ db }: OperatorContext): Promise<AccountListRow[]> {
  return await listAccountRows(db);
}
