import type { Conversation } from '#lib/contract/conversations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { ConversationRow } from './store/conversations.ts';

export function describeConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    uuid: row.uuid,
    subject: row.subject,
    contact: row.contact,
    status: row.status,
    created_at: formatApiTime(row.createdAt),
    closed_at: row.closedAt && formatApiTime(row.closedAt),
  };
}
