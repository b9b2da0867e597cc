import type { OperatorContext } from '../members/operator/operator.ts';
import { listAllSupporters } from '../store/installation-support.ts';

type ListedSupporter = Awaited<ReturnType<typeof listAllSupporters>>[number];

/** The people of installation support, by email, and when each last opened an account. */
export async function listSupportAsOperator({ db }: OperatorContext): Promise<ListedSupporter[]> {
  return await listAllSupporters(db);
}
