import type { Message } from '#lib/contract/conversations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Actor } from '../actor.ts';
import type { MessageRow } from './store/messages.ts';

export function describeMessage(row: Omit<MessageRow, 'accountId' | 'addedBy'>): Message {
  return {
    id: row.id,
    uuid: row.uuid,
    conversation_id: row.conversationId,
    author: row.author,
    text: row.text,
    metadata: row.metadata,
    origin: describeOrigin(row.apiKeyId),
    sequence: row.sequence,
    created_at: formatApiTime(row.createdAt),
  };
}

/** The key that wrote something, as responses and events name it. */
export function describeOrigin(apiKeyId: number | null): Message['origin'] {
  return apiKeyId === null ? null : { api_key_id: apiKeyId };
}

/** The key of an actor who writes; null for a member of the account. */
export function keyIdOf(actor: Actor): number | null {
  return actor.kind === 'api_key' ? actor.keyId : null;
}
