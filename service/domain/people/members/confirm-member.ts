import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import { memberMay } from '#lib/contract/rights/member-rights.ts';
import type { Act } from '#lib/contract/rights/roles.ts';
import { refusalAdvice } from '#lib/contract/rights/roles.ts';
import type { Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { forbidden } from '../../errors.ts';
import { refuseDeletedAccount } from '../accounts/refuse-deleted-account.ts';
import { lockRights } from './lock-rights.ts';

/**
 * Reads a person's rights again under lock, in the transaction that is about to write for them.
 *
 * @throws ServiceError FORBIDDEN if they are no longer a member or installation support, or may no
 *   longer do this; NOT_FOUND if the account is being deleted
 */
export async function confirmMember(tx: Tx, actor: PersonActor, act: Act): Promise<MemberRights> {
  const rights = await lockRights(tx, actor.accountId, actor.personId);
  if (!rights || !memberMay(rights, act)) throw forbidden(refusalAdvice[act]);
  await refuseDeletedAccount(tx, actor.accountId);
  return rights;
}
