import type { z } from 'zod';
import { createConversation as contract } from '#lib/contract/conversations.ts';
import type { Conversation } from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { publishEvent } from '../events/publish-event.ts';
import { runOnce } from '../idempotency/run-once.ts';
import { refuseDeletedAccount } from '../people/accounts/refuse-deleted-account.ts';
import { describeConversation } from './describe-conversation.ts';
import { insertConversation } from './store/conversations.ts';

/**
 * Opens a conversation in the actor's account and announces it.
 * @throws ServiceError VALIDATION_ERROR if the idempotency key was used for another request;
 *   NOT_FOUND if the account was deleted after the actor was authenticated
 */
export async function createConversation(
  ctx: Context,
  actor: Actor,
  input: z.output<typeof contract.body> & { idempotencyKey: string | null; sentBody?: unknown },
): Promise<Conversation> {
  let webhookIds: readonly number[] = [];
  const created = await runOnce(ctx, actor, {
    key: input.idempotencyKey,
    route: contract.name,
    // As sent: cleaning makes different texts equal.
    request: input.sentBody,
    act: async (tx) => {
      await refuseDeletedAccount(tx, actor.accountId);
      const now = ctx.clock.now();
      const conversation = describeConversation(
        await insertConversation(tx, {
          accountId: actor.accountId,
          subject: input.subject,
          contact: input.contact ?? null,
          status: 'open',
          createdAt: now,
        }),
      );
      webhookIds = await publishEvent(tx, {
        accountId: actor.accountId,
        now,
        event: { type: 'conversation.created', data: { conversation } },
      });
      return conversation;
    },
  });
  ctx.laneNotifier.offer(webhookIds);
  return created;
}
