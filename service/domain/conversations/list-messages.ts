import type { z } from 'zod';
import type { listMessages as contract, Message } from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { readCursor, refuseBrokenCursor, writeCursor } from '../cursor.ts';
import { pageOf } from '../page-of.ts';
import { describeMessage } from './describe-message.ts';
import { findConversation } from './find-conversation.ts';
import { listMessageRows } from './store/messages.ts';

/**
 * A page of a conversation's messages, newest first.
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listMessages(
  ctx: Context,
  actor: Actor,
  { conversation, cursor, limit }: { conversation: string } & z.output<typeof contract.query>,
): Promise<{ messages: Message[]; nextCursor: string | null }> {
  refuseBrokenCursor('messages', cursor);
  const row = await findConversation(ctx, actor, { conversation });
  const list = `messages/${row.id}` as const;
  const before = readCursor(list, cursor);
  const found = await listMessageRows(ctx.db, row, { before, limit: limit + 1 });
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => writeCursor(list, id));
  return { messages: rows.map(describeMessage), nextCursor };
}
