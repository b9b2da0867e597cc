import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Message } from '#lib/contract/conversations.ts';
import type { FilterRule } from '#lib/contract/webhooks/filter-rule.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { rowsFrom } from '../../../db/statements/rows-from.ts';
import type { RowValue } from '../../../db/statements/rows-from.ts';
import type { AccountId } from '../../account-id.ts';
import { applyFilters, type FilteredEvent } from '../../events/apply-filters.ts';
import { formatPayload } from '../../events/publish-event.ts';
import {
  eventWithDeliveries,
  filteredWebhooks,
} from '../../events/statements/event-with-deliveries.ts';
import type { ResourceReference } from '../../resource-reference.ts';
import { describeMessage } from '../describe-message.ts';

/**
 * Placeholders in the payload for values that only the database knows, and that the statement fills
 * in. They are random and never leave the service, so no caller's text can contain them.
 */
const placeholders = {
  messageId: randomUUID(),
  conversationId: randomUUID(),
  conversationUuid: randomUUID(),
  metadata: randomUUID(),
  sequence: randomUUID(),
  subject: randomUUID(),
};

/** The values in place of the placeholders. */
type Filled = Record<'messageId' | 'conversationId' | 'sequence', number> &
  Record<'conversationUuid' | 'subject', string> & { metadata: Record<string, string> };

export type NewMessage = {
  accountId: AccountId;
  conversation: ResourceReference;
  event: { uuid: string; traceParent: string | null };
  author: Message['author'];
  text: string;
  metadata: Record<string, string>;
  apiKeyId: number | null;
  now: Date;
};

/** The result of writing a message. */
export type InsertedMessage =
  | { kind: 'inserted'; message: Message }
  | { kind: 'closed' }
  /** Not written, because webhooks of the account have filters. */
  | { kind: 'to filter' }
  /** Also if its account is deleted, or if it is locked and the statement did not wait. */
  | { kind: 'not found' };

/**
 * Writes messages in open conversations of accounts that are not deleted, each with its event and a
 * delivery for each webhook that subscribes to it. Everything is one statement, which needs neither
 * its own transaction nor more than one round trip. It locks the conversations, counts their
 * messages and so gives each message the next number of its conversation. Only the messages of
 * accounts whose webhooks have filters are left for `insertFilteredMessages`.
 *
 * @param messages of any accounts
 * @param waitsForLocks whether to wait for a conversation that another transaction is changing
 * @returns the result of each message, in the same order, and the webhooks whose lanes to wake
 *   once the messages are committed
 */
export async function insertMessages(
  db: Db | Tx,
  group: { messages: readonly NewMessage[]; waitsForLocks: boolean },
): Promise<{ inserted: InsertedMessage[]; webhookIds: number[] }> {
  const { inserted, webhookIds } = await insertGroup(db, { ...group, withFilters: false });
  return { inserted, webhookIds };
}

/** The same for any account in a transaction; the filters of webhooks then decide about events. */
export async function insertFilteredMessages(
  tx: Tx,
  group: { messages: readonly NewMessage[]; waitsForLocks: boolean },
): Promise<{ inserted: InsertedMessage[]; webhookIds: number[] }> {
  const { inserted, webhookIds, filtered } = await insertGroup(tx, { ...group, withFilters: true });
  return { inserted, webhookIds: [...webhookIds, ...(await applyFilters(tx, filtered))] };
}

type Group = { messages: readonly NewMessage[]; waitsForLocks: boolean; withFilters: boolean };

async function insertGroup(
  db: Db | Tx,
  { messages, waitsForLocks, withFilters }: Group,
): Promise<{ inserted: InsertedMessage[]; webhookIds: number[]; filtered: FilteredEvent[] }> {
  const inputs = messages.map((message) => ({ ...message, uuid: randomUUID() }));
  const { rows } = await db.execute<{
    position: number;
    conversation_id: string;
    message_id: string | null;
    sequence: string | null;
    webhook_ids: number[];
    is_left: boolean;
    events: { id: number; account_id: string; payload: string }[] | null;
    filtered: { event_id: number; webhook_id: number; filter: FilterRule }[] | null;
  }>(sql`
    with input as materialized (
      select listed.*, ${withFilters ? sql`false` : hasFilters} as is_left
      from ${rowsFrom(inputs.map(inputRow), inputColumns)} as listed
    ),
    conversation as materialized (
      select input.position, input.uuid as message_uuid, found.*
      from (select * from input where not is_left) as input cross join lateral (
        select account_id, id, uuid, subject, status, metadata from conversations
        where account_id = input.account_id and id = coalesce(
          input.conversation_id,
          (select id from conversations as named where named.uuid = input.conversation_uuid)
        )
        and (select deleted_at from accounts where accounts.id = input.account_id) is null
        -- With a limit it is looked up in its index for each message.
        limit 1
        for no key update ${waitsForLocks ? sql`` : sql`skip locked`}
      ) as found
    ), counted as (
      update conversations set last_sequence = last_sequence + added.messages
      from (
        select account_id, id, count(*) as messages from conversation
        where status = 'open' group by account_id, id
      ) as added
      where conversations.account_id = added.account_id and conversations.id = added.id
      returning conversations.id, last_sequence
    ), message as (
      insert into messages (account_id, conversation_id, uuid, author, text, metadata, api_key_id,
        sequence, created_at)
      select conversation.account_id, conversation.id, input.uuid, author, text, input.metadata,
        api_key_id,
        last_sequence + 1 - row_number() over (partition by counted.id order by position desc),
        created_at
      from conversation join input using (position) join counted on counted.id = conversation.id
      order by position
      returning id, uuid, sequence
    ), written as materialized (
      select conversation.*, message.id as message_id, sequence
      from conversation left join message on message.uuid = conversation.message_uuid
    ), ${eventWithDeliveries(
      sql`
        select written.account_id, event_uuid, 'message.created', written.id, null::integer,
          ${fillTemplate}, trace_parent, created_at
        from written join input using (position)
        where message_id is not null
        order by position`,
      { withPayload: withFilters },
    )}${withFilters ? sql`, ${filteredWebhooks}` : sql``}
    select position, written.id as conversation_id, message_id, sequence,
      array(select distinct webhook_id from queued) as webhook_ids, false as is_left,
      ${withFilters ? whatIsFiltered : sql`null as events, null as filtered`}
    from written
    ${
      withFilters
        ? sql``
        : sql`union all select position, null, null, null, '{}', true, null, null
            from input where is_left`
    }`);
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  const inserted = inputs.map((input, position): InsertedMessage => {
    const row = byPosition.get(position);
    if (!row) return { kind: 'not found' };
    if (row.is_left) return { kind: 'to filter' };
    if (row.message_id === null) return { kind: 'closed' };
    const ids = {
      id: Number(row.message_id),
      conversationId: Number(row.conversation_id),
      sequence: Number(row.sequence),
    };
    return {
      kind: 'inserted',
      message: describeMessage({ ...input, ...ids, createdAt: input.now }),
    };
  });
  const written = rows.find((row) => !row.is_left);
  const published = new Map(written?.events?.map((event) => [event.id, event]));
  const filtered = (written?.filtered ?? []).flatMap((each) => {
    const event = published.get(each.event_id);
    if (!event) return [];
    const { account_id: accountId, payload } = event;
    const { event_id: eventId, webhook_id: webhookId, filter } = each;
    return { accountId, payload, eventId, webhookId, filter };
  });
  return { inserted, webhookIds: written?.webhook_ids ?? [], filtered };
}

/** Whether webhooks of the account have filters. */
const hasFilters = sql`coalesce((
  select true from webhooks where account_id = listed.account_id and filter is not null limit 1
), false)`;

/** All events and webhooks with filters, in the first row. */
const whatIsFiltered = sql`
  case when row_number() over () = 1 then (
    select json_agg(json_build_object('id', id, 'account_id', account_id, 'payload', payload))
    from event
  ) end as events,
  case when row_number() over () = 1 then (select json_agg(filtered) from filtered) end as filtered`;

const inputColumns = {
  position: 'int',
  account_id: 'uuid',
  conversation_id: 'bigint',
  conversation_uuid: 'uuid',
  uuid: 'uuid',
  event_uuid: 'uuid',
  author: 'text',
  text: 'text',
  metadata: 'jsonb',
  api_key_id: 'int',
  payload: 'text',
  trace_parent: 'text',
  created_at: 'timestamptz',
};

function inputRow(
  input: NewMessage & { uuid: string },
  position: number,
): Record<keyof typeof inputColumns, RowValue> {
  const { conversation } = input;
  return {
    position,
    account_id: input.accountId,
    conversation_id: conversation.kind === 'id' ? conversation.id : null,
    conversation_uuid: conversation.kind === 'uuid' ? conversation.uuid : null,
    uuid: input.uuid,
    event_uuid: input.event.uuid,
    author: input.author,
    text: input.text,
    metadata: input.metadata,
    api_key_id: input.apiKeyId,
    payload: payloadTemplate(input),
    trace_parent: input.event.traceParent,
    created_at: input.now,
  };
}

/** The payload of the event, with placeholders. */
function payloadTemplate(
  known: Omit<NewMessage, 'accountId' | 'conversation' | 'event'> & { uuid: string },
): string {
  const { messageId, conversationId, conversationUuid, metadata, sequence, subject } =
    placeholders as unknown as Filled;
  const message = describeMessage({
    ...known,
    createdAt: known.now,
    id: messageId,
    conversationId,
    sequence,
  });
  const conversation = {
    id: message.conversation_id,
    uuid: conversationUuid,
    subject,
    status: 'open' as const,
    metadata,
  };
  const { origin } = message;
  const data = { message, conversation, origin, sequence };
  return formatPayload({ type: 'message.created', data }, known.now);
}

/** Replaces the placeholders with columns of `written`. */
const fillTemplate = sql`replace(replace(replace(replace(replace(replace(payload,
  ${json(placeholders.sequence)}, written.sequence::text),
  ${json(placeholders.metadata)}, written.metadata::text),
  ${json(placeholders.subject)}, to_json(written.subject)::text),
  ${json(placeholders.conversationUuid)}, to_json(written.uuid)::text),
  ${json(placeholders.conversationId)}, written.id::text),
  ${json(placeholders.messageId)}, written.message_id::text)`;

function json(placeholder: string): string {
  return `"${placeholder}"`;
}
