import type { Role } from '#lib/contract/rights/roles.ts';
import { mintAccountId } from '../../../account-id.ts';
import { findAccountAsOperator } from './find-account-as-operator.ts';
import type { UnclearAccount } from './find-account-as-operator.ts';
import { listMembers } from '../list-members.ts';
import type { OperatorContext } from './operator.ts';

type ListedMembers =
  | UnclearAccount
  | { kind: 'found'; members: { name: string; email: string; role: Role }[] };

/** The members of the account that an operator names. */
export async function listMembersAsOperator(
  { db }: OperatorContext,
  account: string,
): Promise<ListedMembers> {
  const found = await findAccountAsOperator(db, account);
  if (found.kind !== 'found') return found;
  return { kind: 'found', members: await listMembers(db, mintAccountId(found.account.id)) };
}
