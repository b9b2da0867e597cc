import type { z } from 'zod';
import type { Conversation, listConversations as contract } from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { pageOf } from '../page-of.ts';
import { windowOf } from '../read-page.ts';
import { describeConversation } from './describe-conversation.ts';
import { listConversationRows } from './store/conversations.ts';

/**
 * A page of the account's conversations that match the filters, newest first.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listConversations(
  ctx: Context,
  actor: Actor,
  { cursor, limit, ...filter }: z.output<typeof contract.query>,
): Promise<{ conversations: Conversation[]; nextCursor: string | null }> {
  const before = readCursor('conversations', cursor);
  const found = await listConversationRows(ctx.db, actor.accountId, {
    ...filter,
    ...windowOf(filter),
    before,
    limit: limit + 1,
  });
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => writeCursor('conversations', id));
  return { conversations: rows.map(describeConversation), nextCursor };
}
