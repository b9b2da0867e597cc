import type { Conversation } from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { invalid, notFound } from '../errors.ts';
import { publishEvent } from '../events/publish-event.ts';
import { refuseDeletedAccount } from '../people/accounts/refuse-deleted-account.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { describeConversation } from './describe-conversation.ts';
import { closeConversationRow, lockConversation } from './store/conversations.ts';

/**
 * Closes a conversation and announces it.
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR if it is closed already
 */
export async function closeConversation(
  ctx: Context,
  actor: Actor,
  input: { conversation: string },
): Promise<Conversation> {
  const now = ctx.clock.now();
  const reference = parseResourceReference(input.conversation, largestBigId);
  if (!reference) throw notFound();

  const { conversation, webhookIds } = await ctx.db.transaction(async (tx) => {
    const before = await lockConversation(tx, actor.accountId, reference);
    if (!before) throw notFound();
    await refuseDeletedAccount(tx, actor.accountId);
    if (before.status === 'closed') {
      throw invalid('conversation', 'This conversation is closed already.');
    }
    const closed = describeConversation(await closeConversationRow(tx, before, now));
    const published = await publishEvent(tx, {
      accountId: actor.accountId,
      now,
      event: { type: 'conversation.closed', data: { conversation: closed } },
    });
    return { conversation: closed, webhookIds: published };
  });
  ctx.laneNotifier.offer(webhookIds);
  return conversation;
}
