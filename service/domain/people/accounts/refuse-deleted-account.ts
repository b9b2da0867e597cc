import type { Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { ServiceError } from '../../errors.ts';
import { readAccount } from '../store/accounts.ts';

/**
 * Refuses to write in an account that is being deleted. Call it after locking the actor, as a
 * separate statement: a deletion waits for the lock of every actor, so a write that began before
 * the deletion is done before it, and a write that began later finds the account deleted here.
 * Writes of conversations lock no actor, so they may be committed just after a concurrent deletion.
 *
 * @throws ServiceError NOT_FOUND, as for an account that does not exist
 */
export async function refuseDeletedAccount(tx: Tx, accountId: AccountId): Promise<void> {
  if (await isAccountDeleted(tx, accountId)) throw accountDeletedError();
}

/** Whether an account is being deleted. */
export async function isAccountDeleted(tx: Tx, accountId: AccountId): Promise<boolean> {
  return (await readAccount(tx, accountId)).deletedAt !== null;
}

export function accountDeletedError(): ServiceError {
  return new ServiceError('NOT_FOUND', {
    customMessage: 'This account is being deleted. Its owners can restore it.',
  });
}
