import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import { refusalAdvice, type Act } from '#lib/contract/rights/roles.ts';
import type { Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { forbidden } from '../../errors.ts';
import { refuseDeletedAccount } from '../accounts/deletion.ts';
import { lockSupporterRights } from '../store/installation-support.ts';
import { lockMembership } from '../store/members.ts';

/**
 * Reads a person's rights again under lock, in the transaction that is about to write for them.
 *
 * @throws ServiceError FORBIDDEN if they are no longer a member or installation support, or may no
 *   longer do this; NOT_FOUND if the account is being deleted
 */
export async function confirmMember(tx: Tx, actor: PersonActor, act: Act): Promise<MemberRights> {
  const rights = await lockRights(tx, actor.accountId, actor.personId);
  if (!rights || !memberMay(rights, act)) throw forbidden('role', refusalAdvice[act]);
  await refuseDeletedAccount(tx, actor.accountId);
  return rights;
}

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
