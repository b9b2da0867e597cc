import type { Message } from '#lib/contract/conversations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { MessageRow } from './store/messages.ts';

export function describeMessage(row: Omit<MessageRow, 'accountId' | 'addedBy'>): Message {
  return {
    id: row.id,
    uuid: row.uuid,
    conversation_id: row.conversationId,
    author: row.author,
    text: row.text,
    created_at: formatApiTime(row.createdAt),
  };
}
