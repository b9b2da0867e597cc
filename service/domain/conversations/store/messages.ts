import { and, desc, eq, lt } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { messages } from '../../../db/schema/conversations.ts';
import type { ConversationRow } from './conversations.ts';

export type MessageRow = typeof messages.$inferSelect;

/** Up to `limit` messages of a conversation with an id below `before`, newest first. */
export async function listMessageRows(
  db: Db | Tx,
  conversation: ConversationRow,
  page: { before: number | null; limit: number },
): Promise<MessageRow[]> {
  return await db
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.accountId, conversation.accountId),
        eq(messages.conversationId, conversation.id),
        page.before === null ? undefined : lt(messages.id, page.before),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(page.limit);
}
