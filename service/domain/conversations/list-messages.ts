import type { z } from 'zod';
import type { listMessages as contract, Message } from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { readCursor } from '../cursor.ts';
import { pageOf } from '../page-of.ts';
import { describeMessage } from './describe-message.ts';
import { findConversation } from './find-conversation.ts';
import { listMessageRows } from './store/messages.ts';

/**
 * A page of a conversation's messages, newest first.
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR on a cursor that this API did not return
 */
export async function listMessages(
  ctx: Context,
  actor: Actor,
  { conversation, cursor, limit }: { conversation: string } & z.output<typeof contract.query>,
): Promise<{ messages: Message[]; nextCursor: string | null }> {
  const before = readCursor(cursor);
  const found = await listMessageRows(
    ctx.db,
    await findConversation(ctx, actor, { conversation }),
    { before, limit: limit + 1 },
  );
  const { rows, nextCursor } = pageOf(found, limit);
  return { messages: rows.map(describeMessage), nextCursor };
}
