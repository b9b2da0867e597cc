import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { invalid } from '../errors.ts';
import { claimAnswer, findAnswer, keepAnswer } from './store.ts';

/** How long an answer is given again: 24 hours. */
export const keptMs = 86_400_000;

/** A request as its caller repeats it: the key they chose, what they ask for, and the act itself. */
type Repeatable<Answer> = {
  key: string | null;
  route: string;
  request: unknown;
  act: (tx: Tx) => Promise<Answer>;
};

/**
 * Acts in a transaction, once per `Idempotency-Key`. The same request repeated within 24 hours with
 * its key gets the first answer again and nothing happens; the answer is stored with the act, so
 * a crash leaves both or neither. Without a key it just acts.
 *
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key` if the key came with another request
 */
export async function answerOnce<Answer>(
  ctx: Context,
  actor: Actor,
  { key, route, request, act }: Repeatable<Answer>,
): Promise<Answer> {
  if (key === null) return await ctx.db.transaction(act);

  const caller = actor.kind === 'api_key' ? `key:${actor.keyId}` : `person:${actor.personId}`;
  const name = { accountId: actor.accountId, caller, route, key };
  const requestDigest = createHash('sha256').update(JSON.stringify(request)).digest();
  const now = ctx.clock.now();

  return await ctx.db.transaction(async (tx) => {
    const oldest = new Date(now.getTime() - keptMs);
    if (!(await claimAnswer(tx, name, { requestDigest, now, oldest }))) {
      const kept = await findAnswer(tx, name);
      if (!kept || !kept.requestDigest.equals(requestDigest)) {
        throw invalid(
          'Idempotency-Key',
          'This key was used for another request in the last 24 hours. Use a new one.',
        );
      }
      // Stored by this function for the same route, so it has the route's shape.
      return kept.answer as Answer;
    }
    const answer = await act(tx);
    await keepAnswer(tx, name, answer);
    return answer;
  });
}
