import type { MemberRights } from '#lib/contract/member-rights.ts';
import type { Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { lockSupporterRights } from '../store/installation-support.ts';
import { lockMembership } from '../store/members.ts';

/**
 * What a person may do in an account, as a member or else as installation support. It stays so until
 * the transaction ends. Null if the account is none of theirs.
 */
export async function lockRights(
  tx: Tx,
  accountId: AccountId,
  personId: string,
): Promise<MemberRights | null> {
  const membership = await lockMembership(tx, accountId, personId);
  return membership ?? (await lockSupporterRights(tx, accountId, personId));
}
