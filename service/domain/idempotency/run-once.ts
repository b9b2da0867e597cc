import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { claimRequest, reusedKeyError } from './claim-request.ts';
import type { RepeatableRequest } from './claim-request.ts';

/**
 * Acts in a transaction, once per `Idempotency-Key`. If the same request is repeated within 24
 * hours, it gets the first response again and nothing else happens; the response is stored in the
 * same transaction as the act. Responses with a token or secret may not be stored, so use
 * `refuseUnfitRepeat` for those. Without a key, the function just acts.
 *
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key` if the key was used for another
 *   request
 */
export async function runOnce<Result>(
  ctx: Context,
  actor: Actor,
  request: RepeatableRequest & { act: (tx: Tx) => Promise<Result> },
): Promise<Result> {
  const now = ctx.clock.now();
  return await ctx.db.transaction(async (tx) => {
    const { earlier, keep } = await claimRequest<Result>(tx, actor, { ...request, now });
    if (earlier) {
      if (!earlier.isSameRequest) throw reusedKeyError();
      return earlier.kept;
    }
    const result = await request.act(tx);
    await keep(result);
    return result;
  });
}
