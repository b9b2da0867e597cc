import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { findConversationRow } from './store/conversations.ts';
import type { ConversationRow } from './store/conversations.ts';

/** A conversation of the actor's account. @throws ServiceError NOT_FOUND */
export async function findConversation(
  ctx: Context,
  actor: Actor,
  input: { conversation: string },
): Promise<ConversationRow> {
  const reference = parseResourceReference(input.conversation, largestBigId);
  const row = reference && (await findConversationRow(ctx.db, actor.accountId, reference));
  if (!row) throw notFound();
  return row;
}
