import type { Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { announceUnrevokedKeys, lockUnrevokedKeys } from '../store/changed-keys.ts';

/**
 * For a transaction after which no key of an account works any more. Waits for what the keys are
 * doing, and tells every process at the commit that they changed.
 *
 * @returns the ids of the keys, which `ctx.keyCache` has to forget after the commit
 */
export async function lockAndAnnounceKeys(tx: Tx, accountId: AccountId): Promise<number[]> {
  await lockUnrevokedKeys(tx, accountId);
  // In a statement of its own: it sees the key that one of them was just making.
  return await announceUnrevokedKeys(tx, accountId);
}
