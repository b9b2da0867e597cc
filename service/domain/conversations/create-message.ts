import type { z } from 'zod';
import type { createMessage as contract, Message } from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { invalid, notFound } from '../errors.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { insertMessage } from './store/insert-message.ts';

/**
 * Writes a message in an open conversation and announces it.
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR if the conversation is closed, or the
 *   idempotency key came with another request
 */
export async function createMessage(
  ctx: Context,
  actor: Actor,
  input: { conversation: string; idempotencyKey: string | null } & z.output<typeof contract.body>,
): Promise<Message> {
  const { idempotencyKey, ...request } = input;
  const conversation = parseResourceReference(input.conversation, largestBigId);
  if (!conversation) throw notFound();

  let webhookIds: readonly number[] = [];
  const answer = await answerOnce(ctx, actor, {
    key: idempotencyKey,
    route: 'createMessage',
    request,
    isOneStatement: true,
    act: async (db) => {
      const written = await insertMessage(db, {
        accountId: actor.accountId,
        conversation,
        author: input.author,
        text: input.text,
        now: ctx.clock.now(),
      });
      if (!written) throw notFound();
      if (!written.message) {
        throw invalid('conversation', 'This conversation is closed. Open a new one.');
      }
      webhookIds = written.webhookIds;
      return written.message;
    },
  });
  ctx.laneTouches.add(webhookIds);
  return answer;
}
