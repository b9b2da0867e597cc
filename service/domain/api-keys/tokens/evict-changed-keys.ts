import type { Context } from '../../../context.ts';
import { apiKeyChangedChannel } from '../store.ts';

/**
 * Keeps this process's key cache true to what other processes change. Whatever was cached while
 * nobody listened may have changed unheard, so it all goes when listening begins.
 */
export function evictChangedKeys({
  notifier,
  keyCache,
}: Pick<Context, 'notifier' | 'keyCache'>): void {
  notifier.subscribe(apiKeyChangedChannel, (apiKeyId) => keyCache.evict(Number(apiKeyId)));
  notifier.onReconnect(() => keyCache.clear());
}
