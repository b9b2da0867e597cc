import { and, gte, lt } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { messages } from '../../../db/schema/conversations.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { isOnPage, orderOfPage } from '../../../db/statements/list-page.ts';
import type { FollowedList, PagePosition } from '../../../db/statements/list-page.ts';
import type { ConversationRow } from './conversations.ts';

export type MessageRow = typeof messages.$inferSelect;

export function messagesOf({ accountId, id: conversationId }: ConversationRow): FollowedList {
  return { table: messages, where: columnsEqual(messages, { accountId, conversationId }) };
}

export async function listMessageRows(
  db: Db | Tx,
  conversation: ConversationRow,
  page: { since: Date | undefined; until: Date | undefined; at: PagePosition; limit: number },
): Promise<MessageRow[]> {
  return await db
    .select()
    .from(messages)
    .where(
      and(
        messagesOf(conversation).where,
        page.since && gte(messages.createdAt, page.since),
        page.until && lt(messages.createdAt, page.until),
        isOnPage(messages, page.at),
      ),
    )
    .orderBy(...orderOfPage(messages, page.at))
    .limit(page.limit);
}
