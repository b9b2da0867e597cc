import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { announceApiKeyChange } from '../store/changed-keys.ts';
import { withLockedApiKey } from './with-locked-api-key.ts';
import type { LockedApiKeyWork, LockedApiKey } from './with-locked-api-key.ts';

/**
 * Runs a change of a key. It works like `withLockedApiKey`, and removes the key from every cache
 * once the change is committed.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN, UNAUTHORIZED, and the errors of `change`
 */
export async function changeApiKey<Result>(
  ctx: Context,
  actor: Actor,
  {
    change,
    ...options
  }: Omit<LockedApiKeyWork<Result>, 'work'> & {
    change: (locked: LockedApiKey) => Promise<Result>;
  },
): Promise<Result> {
  const { keyId, result } = await withLockedApiKey(ctx, actor, {
    ...options,
    work: async (locked) => {
      const changed = await change(locked);
      await announceApiKeyChange(locked.tx, locked.key.id);
      return { keyId: locked.key.id, result: changed };
    },
  });
  ctx.keyCache.evict(keyId);
  return result;
}
