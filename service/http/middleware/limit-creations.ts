import type { Context } from '../../context.ts';
import { limitKeyOf } from '../../domain/actor.ts';
import type { Actor } from '../../domain/actor.ts';
import { isKnownRequest } from '../../domain/idempotency/claim-request.ts';
import { refuseOverLimit } from '../../domain/refuse-over-limit.ts';

/**
 * Counts an attempt to create a key or a webhook against the hourly limits of its key or person and
 * of their account. It runs after the checks of scope and shape, so that those refusals do not
 * count, and before the transaction, which never waits for the limiter. An attempt that the
 * transaction refuses, for example because of a quota, has counted. A repeat with the
 * `Idempotency-Key` of an earlier request creates nothing, so it does not count.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; the response states the limit that refused
 */
export async function limitCreations(
  ctx: Context,
  { actor, ...request }: { actor: Actor; route: string; key: string | null },
): Promise<void> {
  if (await isKnownRequest(ctx, actor, request)) return;
  await refuseOverLimit(ctx, [
    { limit: 'creation', key: limitKeyOf(actor) },
    { limit: 'account-creation', key: actor.accountId },
  ]);
}
