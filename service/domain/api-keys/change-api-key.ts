import type { Act } from '#lib/contract/rights/roles.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { invalid, notFound } from '../errors.ts';
import { claimRequest, type Claim, type RepeatableRequest } from '../idempotency/claim-request.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { confirmActor, exceedsActor, type ConfirmedActor } from './confirm-actor.ts';
import { isExpired } from './rules.ts';
import { announceApiKeyChange, findApiKeyId, type ApiKeyRow } from './store/keys.ts';
import { isOwnRotation, type MadeToken } from './tokens/is-own-rotation.ts';

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

/** A key as read under lock, and what its actor may do with it. */
export type LockedApiKey = Omit<ConfirmedActor, 'target'> & {
  tx: Tx;
  key: ApiKeyRow;
  /** When the key was locked. */
  now: Date;
  /** The claim on the request's `Idempotency-Key`. */
  claim: Claim<MadeToken>;
};

type LockedApiKeyWork<Result> = {
  apiKey: string;
  act: Act;
  /** For acts that end a key without showing anything about it. */
  mayExceedActorRights?: true;
  /** For acts of a key on itself, which need no scope. */
  isCaller?: true;
  /** For requests that can be repeated with their `Idempotency-Key`. */
  repeatable?: RepeatableRequest;
  work: (locked: LockedApiKey) => Promise<Result>;
};

const notRepeatable: RepeatableRequest = { key: null, route: '', request: null };

/**
 * Finds a key in the actor's account, reads actor and key again under lock, refuses a key that
 * reaches further than the actor unless told otherwise, and runs `work` in that transaction.
 * Changes of the key go through `changeApiKey`.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN, UNAUTHORIZED, and the errors of `work`
 */
export async function withLockedApiKey<Result>(
  ctx: Context,
  actor: Actor,
  { apiKey, repeatable, act, mayExceedActorRights, isCaller, work }: LockedApiKeyWork<Result>,
): Promise<Result> {
  const calledAt = ctx.clock.now();
  const reference = parseResourceReference(apiKey);
  const targetId = reference && (await findApiKeyId(ctx.db, actor.accountId, reference));
  if (!targetId) throw notFound();

  return await ctx.db.transaction(async (tx) => {
    // Before any other lock: of several requests with one `Idempotency-Key`, all but the first wait
    // here.
    const request = { ...(repeatable ?? notRepeatable), now: calledAt };
    const claim = await claimRequest<MadeToken>(tx, actor, request);
    const made = claim.earlier?.kept;
    const { target: key, ...rights } = await confirmActor(tx, actor, {
      config: ctx.config,
      clock: ctx.clock,
      act,
      scope: isCaller ? null : 'api-keys:manage',
      targetId,
      mayBeInGrace: made?.apiKeyId === targetId && isOwnRotation(made, actor),
    });
    if (!key) throw notFound();
    // After the locks: what is decided and made now is later than everything that this call waited
    // for.
    const now = ctx.clock.now();
    if (!mayExceedActorRights && !rights.mayHandle(key)) throw exceedsActorRights(actor);
    return await work({ tx, key, now, ...rights, claim });
  });
}

function exceedsActorRights(actor: Actor): Error {
  return exceedsActor(
    actor,
    actor.kind === 'person'
      ? 'This key can do more than you are allowed to see in this account. Request a rotation instead, from a member who is allowed to see the token.'
      : undefined,
  );
}

/** A revoked or expired key can never become valid again. @throws ServiceError VALIDATION_ERROR */
export function refuseEndedKey(key: ApiKeyRow, now: Date): void {
  if (key.revokedAt) throw invalid('api_key', 'This key is revoked. Create a new one.');
  if (isExpired(key, now)) throw invalid('api_key', 'This key is expired. Create a new one.');
}
