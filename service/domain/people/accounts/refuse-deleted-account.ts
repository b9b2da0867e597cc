import type { Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { ServiceError } from '../../errors.ts';
import { readAccount } from '../store/accounts.ts';

/**
 * Refuses to write in an account that is being deleted. Read after the actor was locked, in a
 * statement of its own: a deletion waits for every actor's lock, so what began before it is done
 * before it, and what began after it sees it here. Conversations lock no actor: what is written in them
 * at the same moment as the deletion may be committed just after it.
 *
 * @throws ServiceError NOT_FOUND, as for an account that does not exist
 */
export async function refuseDeletedAccount(tx: Tx, accountId: AccountId): Promise<void> {
  if (await isAccountDeleted(tx, accountId)) throw accountDeleted();
}

/** Whether an account is being deleted. */
export async function isAccountDeleted(tx: Tx, accountId: AccountId): Promise<boolean> {
  return (await readAccount(tx, accountId)).deletedAt !== null;
}

export function accountDeleted(): ServiceError {
  return new ServiceError('NOT_FOUND', {
    customMessage: 'This account is being deleted. Its owners can restore it.',
  });
}
