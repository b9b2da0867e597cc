import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import type { AccountId } from '../../domain/account-id.ts';

/** How many accounts share the rows of a grown database. */
const accounts = 1000;
/** So many that a statement takes less than half a minute. */
const rowsAtOnce = 50_000;

/** Adds the accounts to which `growDatabase` adds rows. */
export async function addAccountsToGrow({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  await db.execute(sql`
    insert into accounts (id, name, created_at)
    select ${accountOf(sql`number`)}, 'Account ' || number, ${clock.now().toISOString()}::timestamptz
    from generate_series(1, ${accounts}::int) as number`);
}

/**
 * Grows a database from one number of rows to another. Each row stands for an event with its
 * delivery and attempt, a conversation, and a key with its token. The rows belong to a thousand
 * accounts in turn. Each account has one webhook, and one more for every ten of its rows; none has
 * anything to do.
 */
export async function growDatabase(
  ctx: Pick<Context, 'db' | 'maintenanceDb' | 'clock'>,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (let first = from + 1; first <= to; first += rowsAtOnce) {
    await addRows(ctx, { first, last: Math.min(first + rowsAtOnce - 1, to) });
  }
  // Analyzed, like a database that has been in use for a while. One statement for all tables would
  // take too long.
  for (const table of filledTables) {
    await ctx.maintenanceDb.execute(sql.raw(`vacuum analyze ${table}`));
  }
}

const filledTables = [
  'accounts',
  'webhooks',
  'lanes',
  'events',
  'deliveries',
  'attempts',
  'conversations',
  'api_keys',
  'api_key_tokens',
];

async function addRows(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { first, last }: { first: number; last: number },
): Promise<void> {
  const rows = rowsOf(accountOf(sql`number`), { clock, first, last });
  const by = sql.raw(`'{"type": "service"}'::jsonb`);
  await db.execute(sql`
    with made as (
      insert into webhooks (account_id, name, url, events, is_active, created_at, updated_at)
      select account_id, 'Webhook', 'https://receiver.example.com/', '{conversation.closed}', true, at, at
      from ${rows}
      where number <= ${accounts} or number / ${accounts} % 10 = 0
      returning account_id, id
    )
    insert into lanes (webhook_id, account_id) select id, account_id from made`);
  await addDelivered(db, rows);
  await db.execute(sql`
    insert into conversations (account_id, subject, status, created_at)
    select account_id, 'Conversation', 'open', at from ${rows}`);
  await db.execute(sql`
    with made as (
      insert into api_keys (account_id, name, type, created_at, created_by, updated_at)
      select account_id, 'Key', 'full', at, ${by}, at from ${rows}
      returning account_id, id, created_at
    )
    insert into api_key_tokens (account_id, api_key_id, digest, last_four, created_at, created_by)
    select account_id, id, sha256(id::text::bytea), 'abcd', created_at, ${by} from made`);
}

/** Adds past events, each delivered to a webhook of its account. */
export async function addPastOf(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { accountId, count }: { accountId: AccountId; count: number },
): Promise<void> {
  await addDelivered(db, rowsOf(sql`${accountId}::uuid`, { clock, first: 1, last: count }));
}

async function addDelivered(db: Context['db'], rows: SQL): Promise<void> {
  await db.execute(sql`
    with webhooks_of as materialized (
      select account_id, array_agg(id) as ids from webhooks group by account_id
    ), event as (
      insert into events (account_id, uuid, type, conversation_id, payload, created_at)
      select account_id, gen_random_uuid(), 'conversation.closed', number, '{}', at from ${rows}
      returning account_id, id, created_at
    ), delivery as (
      insert into deliveries (account_id, webhook_id, event_id, event_type, status, attempt_count,
        tries, last_status_code, created_at, finished_at)
      select account_id, ids[1 + event.id / ${accounts} % cardinality(ids)], event.id,
        'conversation.closed', 'delivered', 1, 1, 200, created_at, created_at
      from event join webhooks_of using (account_id)
      returning account_id, webhook_id, event_id, created_at
    )
    insert into attempts (account_id, webhook_id, event_id, number, started_at, duration_ms,
      waited_ms, url, status_code, request_headers)
    select account_id, webhook_id, event_id, 1, created_at, 12, 3, 'https://receiver.example.com/',
      200, '{"user-agent": "Webhooks"}'
    from delivery`);
}

/** A row for each second of a past period, from the first to the last. */
function rowsOf(
  accountId: SQL,
  { clock, first, last }: Pick<Context, 'clock'> & { first: number; last: number },
): SQL {
  return sql`(
    select number, ${accountId} as account_id,
      ${clock.now().toISOString()}::timestamptz - interval '30 days'
        + number * interval '1 second' as at
    from generate_series(${first}::int, ${last}::int) as number
  ) as rows`;
}

function accountOf(number: SQL): SQL {
  return sql`('00000000-0000-4000-8000-' || lpad((${number} % ${accounts}::int + 1)::text, 12, '0'))::uuid`;
}
