import type { Act } from '#lib/contract/roles.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { forbidden, notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { confirmActor } from './confirm-actor.ts';
import type { Reach } from './rules.ts';
import { findApiKeyId } from './store.ts';
import type { ApiKeyRow } from './store.ts';

/** A key as it stands under lock, and what its actor may make of it. */
export type LockedApiKey = {
  tx: Tx;
  key: ApiKeyRow;
  now: Date;
  mayHandle: (key: Reach) => boolean;
};

export type ApiKeyAct<Result> = {
  apiKey: string;
  act: Act;
  /** For what ends a key without showing anything of it. */
  mayExceedReach?: true;
  work: (locked: LockedApiKey) => Promise<Result>;
};

/**
 * Finds a key in the actor's account, reads actor and key again under lock, refuses a key that
 * reaches further than the actor unless told otherwise, and works on it in that transaction. What
 * changes the key goes through `changeApiKey`.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN, UNAUTHORIZED, and what `work` throws
 */
export async function withLockedApiKey<Result>(
  ctx: Context,
  actor: Actor,
  about: ApiKeyAct<Result>,
): Promise<Result> {
  const now = ctx.clock.now();
  const reference = parseResourceReference(about.apiKey);
  const targetId = reference && (await findApiKeyId(ctx.db, actor.accountId, reference));
  if (!targetId) throw notFound();

  return await ctx.db.transaction(async (tx) => {
    const { target: key, mayHandle } = await confirmActor(tx, actor, {
      act: about.act,
      scope: 'api-keys:manage',
      targetId,
      now,
    });
    if (!key) throw notFound();
    if (!about.mayExceedReach && !mayHandle(key)) throw forbidden();
    return await about.work({ tx, key, now, mayHandle });
  });
}
