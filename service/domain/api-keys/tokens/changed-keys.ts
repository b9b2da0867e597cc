import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { apiKeyChangedChannel, lockAndAnnounceUnrevokedKeys } from '../store/keys.ts';

/**
 * Removes keys from this process's cache when another process changes them. Changes are missed
 * while the process does not listen, so the cache is cleared when listening begins.
 */
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
