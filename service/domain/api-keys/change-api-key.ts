import type { Act } from '#lib/contract/roles.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { forbidden, notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { confirmActor } from './confirm-actor.ts';
import type { Reach } from './rules.ts';
import { announceApiKeyChange, findApiKeyId } from './store.ts';
import type { ApiKeyRow } from './store.ts';

/** What a change works on: the key as it stands under lock, and what its actor may make of it. */
export type LockedApiKey = {
  tx: Tx;
  key: ApiKeyRow;
  now: Date;
  mayHandle: (key: Reach) => boolean;
};

/**
 * The frame of every change to a key: finds it in the actor's account, reads actor and key again
 * under lock, refuses what reaches further than the actor unless told otherwise, and makes every cache forget the key
 * once the change is committed.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN, UNAUTHORIZED, and what `change` throws
 */
export async function changeApiKey<Result>(
  ctx: Context,
  actor: Actor,
  about: {
    apiKey: string;
    act: Act;
    /** For what ends a key without showing anything of it. */
    mayExceedReach?: true;
    change: (locked: LockedApiKey) => Promise<Result>;
  },
): Promise<Result> {
  const now = ctx.clock.now();
  const reference = parseResourceReference(about.apiKey);
  const targetId = reference && (await findApiKeyId(ctx.db, actor.accountId, reference));
  if (!targetId) throw notFound();

  const result = await ctx.db.transaction(async (tx) => {
    const { target: key, mayHandle } = await confirmActor(tx, actor, {
      act: about.act,
      scope: 'api-keys:manage',
      targetId,
      now,
    });
    if (!key) throw notFound();
    if (!about.mayExceedReach && !mayHandle(key)) throw forbidden();
    const changed = await about.change({ tx, key, now, mayHandle });
    await announceApiKeyChange(tx, key.id);
    return changed;
  });
  ctx.keyCache.evict(targetId);
  return result;
}
