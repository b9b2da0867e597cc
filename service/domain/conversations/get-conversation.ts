import type { Conversation } from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { describeConversation } from './describe-conversation.ts';
import { findConversation } from './find-conversation.ts';

/** One conversation of the actor's account. @throws ServiceError NOT_FOUND */
export async function getConversation(
  ctx: Context,
  actor: Actor,
  input: { conversation: string },
): Promise<Conversation> {
  return describeConversation(await findConversation(ctx, actor, input));
}
