import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { lockSupporterRights } from '../store/installation-support.ts';
import { lockMembership } from '../store/members.ts';

/**
 * A person's rights in an account, as a member or else as installation support. They cannot change
 * until the transaction ends. Null if the person is neither.
 */
export async function lockRights(
  tx: Tx,
  accountId: AccountId,
  personId: string,
): Promise<MemberRights | null> {
  const membership = await lockMembership(tx, accountId, personId);
  return membership ?? (await lockSupporterRights(tx, accountId, personId));
}
