import type { Context } from '../../../context.ts';
import { apiKeyChangedChannel } from '../store/changed-keys.ts';

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
