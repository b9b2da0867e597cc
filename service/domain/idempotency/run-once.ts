import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { claimRequest, refuseReuse } from './claim-request.ts';
import type { NamedRequest } from './claim-request.ts';

/**
 * Acts in a transaction, once per `Idempotency-Key`. The same request repeated within 24 hours with
 * its key gets the first answer again and nothing happens; the answer is stored with the act. For
 * answers that may be stored: one with a token or secret in it is not (`refuseUnfitRepeat`).
 * Without a key it just acts.
 *
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key` if the key came with another request
 */
export async function runOnce<Answer>(
  ctx: Context,
  actor: Actor,
  request: NamedRequest & { act: (tx: Tx) => Promise<Answer> },
): Promise<Answer> {
  const now = ctx.clock.now();
  return await ctx.db.transaction(async (tx) => {
    const { before, keep } = await claimRequest<Answer>(tx, actor, { ...request, now });
    if (before) {
      if (!before.isSameRequest) throw refuseReuse();
      return before.kept;
    }
    const answer = await request.act(tx);
    await keep(answer);
    return answer;
  });
}
