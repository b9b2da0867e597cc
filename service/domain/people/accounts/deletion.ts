import type { Role } from '#lib/contract/rights/roles.ts';
import { dayMs } from '#lib/durations.ts';
import type { Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { ServiceError } from '../../errors.ts';
import { readAccount } from '../store/accounts.ts';

const restorableMs = 7 * dayMs;

/** For clocks that differ: nothing is erased while some process could still restore it. */
const marginMs = 600_000;

/** Until when an account that was deleted can be restored. */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + restorableMs);
}

/** Whether a deleted account can no longer be restored. */
export function isPastRestoreWindow(deletedAt: Date, now: Date): boolean {
  return restorableUntil(deletedAt) <= now;
}

/** Accounts that were deleted at or before this moment are erased. */
export function erasureCutoff(now: Date): Date {
  return new Date(now.getTime() - restorableMs - marginMs);
}

/** A deleted account is hidden from all but owners, and from them once it is final. */
export function isHiddenFromMember(
  { role, deletedAt }: { role: Role; deletedAt: Date | null },
  now: Date,
): boolean {
  return deletedAt !== null && (role !== 'owner' || isPastRestoreWindow(deletedAt, now));
}

/** The memberships whose accounts are not hidden from the person. */
export function findableMemberships<One extends { role: Role; deletedAt: Date | null }>(
  memberships: readonly One[],
  now: Date,
): One[] {
  return memberships.filter((membership) => !isHiddenFromMember(membership, now));
}

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

export async function isAccountDeleted(tx: Tx, accountId: AccountId): Promise<boolean> {
  return (await readAccount(tx, accountId)).deletedAt !== null;
}

export function accountDeletedError(): ServiceError {
  return new ServiceError('NOT_FOUND', {
    customMessage: 'This account is being deleted. Its owners can restore it.',
  });
}
