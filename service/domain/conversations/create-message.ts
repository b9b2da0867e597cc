import type { z } from 'zod';
import type { createMessage as contract, Message } from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { invalid, notFound } from '../errors.ts';
import { publishEvent } from '../events/publish-event.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { describeMessage } from './describe-message.ts';
import { insertMessage, lockConversation } from './store.ts';

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
  const reference = parseResourceReference(input.conversation, largestBigId);
  if (!reference) throw notFound();

  let webhookIds: readonly number[] = [];
  const answer = await answerOnce(ctx, actor, {
    key: idempotencyKey,
    route: 'createMessage',
    request,
    act: async (tx) => {
      const now = ctx.clock.now();
      const conversation = await lockConversation(tx, actor.accountId, {
        reference,
        strength: 'share',
      });
      if (!conversation) throw notFound();
      if (conversation.status === 'closed') {
        throw invalid('conversation', 'This conversation is closed. Open a new one.');
      }
      const message = describeMessage(
        await insertMessage(tx, {
          accountId: actor.accountId,
          conversationId: conversation.id,
          author: input.author,
          text: input.text,
          createdAt: now,
        }),
      );
      const { id, uuid, subject, status } = conversation;
      webhookIds = await publishEvent(tx, {
        accountId: actor.accountId,
        now,
        event: {
          type: 'message.created',
          data: { message, conversation: { id, uuid, subject, status } },
        },
      });
      return message;
    },
  });
  ctx.laneTouches.add(webhookIds);
  return answer;
}
