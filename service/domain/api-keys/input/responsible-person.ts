import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { findMemberNames } from '../../people/members/find-member-names.ts';
import type { MemberNames } from '../../people/members/find-member-names.ts';
import type { ApiKeyRow } from '../store/keys.ts';

export type ResponsibleColumns = Pick<ApiKeyRow, 'responsibleId' | 'responsibleName'>;

/**
 * The values to store for the member who becomes responsible for a key: nulls for nobody. Null if
 * they do not belong to the account.
 */
export async function findResponsible(
  db: Db | Tx,
  accountId: AccountId,
  id: string | null,
): Promise<ResponsibleColumns | null> {
  if (id === null) return { responsibleId: null, responsibleName: null };
  const responsibleName = (await findMemberNames(db, accountId, [id])).get(id);
  return responsibleName === undefined ? null : { responsibleId: id, responsibleName };
}

/** The persons responsible for these keys, as far as they belong to the account. */
export async function listResponsibleMembers(
  db: Db | Tx,
  accountId: AccountId,
  keys: readonly ResponsibleColumns[],
): Promise<MemberNames> {
  const ids = new Set(keys.flatMap(({ responsibleId }) => responsibleId ?? []));
  return await findMemberNames(db, accountId, [...ids]);
}

/** The person responsible for a key, as the API shows them. */
export function describeResponsible(
  { responsibleId, responsibleName }: ResponsibleColumns,
  members: MemberNames,
): ApiKey['responsible'] {
  if (responsibleId === null) return null;
  const name = members.get(responsibleId);
  return { id: responsibleId, name: name ?? responsibleName ?? '', is_member: name !== undefined };
}
