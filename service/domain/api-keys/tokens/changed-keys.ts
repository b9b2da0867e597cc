import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { apiKeyChangedChannel, lockAndAnnounceUnrevokedKeys } from '../store/keys.ts';

/** Evicts keys that other processes change; all when listening begins, as changes were missed. */
export function evictChangedKeys({
  notifier,
  keyCache,
}: Pick<Context, 'notifier' | 'keyCache'>): void {
  notifier.subscribe(apiKeyChangedChannel, (apiKeyId) => keyCache.evict(Number(apiKeyId)));
  notifier.onReconnect(() => keyCache.clear());
}

/**
 * For a transaction that ends all keys of an account. Waits for transactions in which the keys act,
 * and notifies every process of the change at the commit.
 */
export async function lockAndAnnounceKeys(
  tx: Tx,
  { accountId }: { accountId: AccountId },
): Promise<void> {
  await lockAndAnnounceUnrevokedKeys(tx, accountId);
}
