import { listAccountRows } from '../../store/members.ts';
import type { ListedAccount } from './find-account-as-operator.ts';
import type { OperatorContext } from './operator.ts';

/** Every account of the installation, the oldest first. */
export async function listAccountsAsOperator({ db }: OperatorContext): Promise<ListedAccount[]> {
  return await listAccountRows(db);
}
