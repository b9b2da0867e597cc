import { sql } from 'drizzle-orm';
import type { Context } from '../../context.ts';

/** The contents of each account. */
export type AccountContents = { keys: number; webhooks: number; people: number };

/**
 * Adds the data of an installation that has been in use for years, with a few statements. Accounts
 * are called `Halden 1 Ltd`, keys `Importer server 1`, webhooks `Shipments 1`, people `Ida Marlow
 * 1`; every fifth key is being rotated and every tenth is revoked. Nobody can sign in, and no token
 * is valid.
 *
 * @param marker part of every name and email address
 */
export async function addManyAccounts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  options: { accounts: number; of: AccountContents; marker?: string },
): Promise<void> {
  const { accounts, of, marker = 'a' } = options;
  const now = sql`${clock.now().toISOString()}::timestamptz`;
  const by = sql`'{"kind":"system","id":null,"name":"History"}'::jsonb`;
  const word = (words: string) =>
    sql`(array[${sql.raw(
      words
        .split(' ')
        .map((each) => `'${each}'`)
        .join(','),
    )}])`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      create temporary table many on commit drop as
      select gen_random_uuid() as account_id, number
      from generate_series(1, ${accounts}::int) as number`);
    await tx.execute(sql`
      insert into accounts (id, name, created_at)
      select account_id, ${word('Halden Marlow Kestrel Fjord Brightwater Lumen')}[1 + number % 6]
        || ' ' || number || ${` ${marker} Ltd`}, ${now}
      from many`);
    await tx.execute(sql`
      with made as (
        insert into people (id, name, email, created_at, updated_at)
        select account_id || '-' || one,
          ${word('Ida Sara Priya Oskar Dario')}[1 + one % 5] || ' '
            || ${word('Marlow Holm Nair Lind Conti Dahl Brandt')}[1 + number % 7]
            || ' ' || number,
          'person' || one || '@account' || number || ${`.${marker}.example`}, ${now}, ${now}
        from many, generate_series(1, ${of.people}::int) as one
        returning id
      )
      insert into members (account_id, person_id, role, created_at)
      select left(id, 36)::uuid, id, case when id like '%-1' then 'owner' else 'viewer' end, ${now}
      from made`);
    await tx.execute(sql`
      with made as (
        insert into api_keys
          (account_id, name, type, created_at, created_by, updated_at, revoked_at, revoked_by)
        select account_id,
          ${word('Importer Storefront Reports Status Mobile Export Billing')}[1 + (number + one) % 7]
            || ' server ' || (number * ${of.keys}::int + one) || ${` ${marker}`},
          'full', ${now}, ${by}, ${now},
          case when one % 10 = 0 then ${now} end, case when one % 10 = 0 then ${by} end
        from many, generate_series(1, ${of.keys}::int) as one
        returning account_id, id
      )
      insert into api_key_tokens
        (account_id, api_key_id, digest, last_four, created_at, created_by, valid_until,
          first_used_at, last_used_at, last_used_ip)
      select account_id, id, sha256(convert_to(id || '-' || token, 'utf8')),
        left(md5(id || '-' || token), 4), ${now}, ${by},
        case when token = 0 then ${now} + interval '1 day' end, ${now}, ${now}, '203.0.113.7'
      from made, generate_series(case when id % 5 = 0 then 0 else 1 end, 1) as token`);
    await tx.execute(sql`
      with made as (
        insert into webhooks
          (account_id, name, url, events, is_active, created_at, updated_at)
        select account_id,
          ${word('Shipments Orders Tickets Invoices')}[1 + (number + one) % 4] || ' ' || number
            || ${` ${marker}`},
          'https://hooks.account' || number || ${`.${marker}.example/receive/`} || one,
          array['message.created'], true, ${now}, ${now}
        from many, generate_series(1, ${of.webhooks}::int) as one
        returning account_id, id
      )
      insert into lanes (webhook_id, account_id) select id, account_id from made`);
  });
}
