import type { OperatorContext } from '../members/operator/operator.ts';
import { listAllSupporters } from '../store/installation-support.ts';

type ListedSupporter = Awaited<ReturnType<typeof listAllSupporters>>[number];

/** Who supports every account, by email, and when each opened one last. */
export async function listSupportAsOperator({ db }: OperatorContext): Promise<ListedSupporter[]> {
  return await listAllSupporters(db);
}
