import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Message } from '#lib/contract/conversations.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { formatPayload } from '../../events/publish-event.ts';
import { eventWithDeliveries } from '../../events/statements/event-with-deliveries.ts';
import type { ResourceReference } from '../../resource-reference.ts';
import { describeMessage } from '../describe-message.ts';

/**
 * Placeholders in the payload for values that only the database has. The statement replaces them. They
 * are random and appear in no answer, so that no text of a caller can contain them.
 */
const placeholders = {
  messageId: randomUUID(),
  conversationId: randomUUID(),
  conversationUuid: randomUUID(),
  subject: randomUUID(),
};

export type NewMessage = {
  accountId: AccountId;
  conversation: ResourceReference;
  author: Message['author'];
  text: string;
  now: Date;
};

/**
 * Writes a message in an open conversation, with its event and a delivery for each webhook that
 * subscribes to it. All of it is one statement, which needs neither a transaction of its own nor more
 * than one round trip. While it runs the conversation cannot be closed.
 *
 * @returns `message` is null if the conversation is closed; null if there is no such conversation
 */
export async function insertMessage(
  db: Db | Tx,
  { accountId, conversation, author, text, now }: NewMessage,
): Promise<{ message: Message | null; webhookIds: number[] } | null> {
  const uuid = randomUUID();
  const createdAt = now.toISOString();
  const { rows } = await db.execute<{
    conversation_id: string;
    message_id: string | null;
    webhook_ids: number[];
  }>(sql`
    with conversation as (
      select account_id, id, uuid, subject, status from conversations
      where account_id = ${accountId}::uuid and ${
        conversation.kind === 'id'
          ? sql`id = ${conversation.id}::bigint`
          : sql`uuid = ${conversation.uuid}::uuid`
      }
      for share
    ), message as (
      insert into messages (account_id, conversation_id, uuid, author, text, created_at)
      select account_id, id, ${uuid}::uuid, ${author}::text, ${text}::text,
        ${createdAt}::timestamptz
      from conversation where status = 'open'
      returning id
    ), ${eventWithDeliveries(sql`
      select account_id, ${randomUUID()}::uuid, 'message.created', conversation.id, null::integer,
        ${fillTemplate(payloadTemplate({ uuid, author, text, now }))}, ${createdAt}::timestamptz
      from conversation, message`)}
    select conversation.id as conversation_id, message.id as message_id,
      array(select webhook_id from queued) as webhook_ids
    from conversation left join message on true`);
  const [row] = rows;
  if (!row) return null;
  if (row.message_id === null) return { message: null, webhookIds: [] };
  const ids = { id: Number(row.message_id), conversationId: Number(row.conversation_id) };
  const message = describeMessage({ ...ids, uuid, author, text, createdAt: now });
  return { message, webhookIds: row.webhook_ids };
}

/** The payload of the event, with placeholders. */
function payloadTemplate(
  known: Pick<NewMessage, 'author' | 'text' | 'now'> & { uuid: string },
): string {
  const { messageId, conversationId, conversationUuid, subject } = placeholders;
  const message = describeMessage({
    ...known,
    createdAt: known.now,
    id: messageId as unknown as number,
    conversationId: conversationId as unknown as number,
  });
  const conversation = {
    id: message.conversation_id,
    uuid: conversationUuid,
    subject,
    status: 'open' as const,
  };
  return formatPayload({ type: 'message.created', data: { message, conversation } }, known.now);
}

/** Replaces the placeholders by columns of `message` and `conversation`. */
function fillTemplate(payload: string) {
  const json = (placeholder: string) => `"${placeholder}"`;
  return sql`replace(replace(replace(replace(${payload}::text,
    ${json(placeholders.subject)}, to_json(conversation.subject)::text),
    ${json(placeholders.conversationUuid)}, to_json(conversation.uuid)::text),
    ${json(placeholders.conversationId)}, conversation.id::text),
    ${json(placeholders.messageId)}, message.id::text)`;
}
