import type { z } from 'zod';
import type { listMessages as contract, Message } from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { refuseBrokenCursor } from '../cursor.ts';
import { readPage, windowOf } from '../read-page.ts';
import { describeMessage } from './describe-message.ts';
import { findConversation } from './find-conversation.ts';
import { listMessageRows } from './store/messages.ts';

/**
 * A page of a conversation's messages, newest first, or those since the client last read them.
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listMessages(
  ctx: Context,
  actor: Actor,
  { conversation, ...query }: { conversation: string } & z.output<typeof contract.query>,
): Promise<{ messages: Message[]; nextCursor: string | null; followCursor?: string }> {
  refuseBrokenCursor('messages', query);
  const row = await findConversation(ctx, actor, { conversation });
  const { rows, ...cursors } = await readPage(
    ctx.db,
    { ...query, list: `messages/${row.id}` },
    (at, limit) => listMessageRows(ctx.db, row, { ...windowOf(query), at, limit }),
  );
  return { messages: rows.map(describeMessage), ...cursors };
}
