import { sql } from 'drizzle-orm';
import { sampleEventPayload } from '#lib/contract/samples.ts';
import type { Context } from '#service/context.ts';
import { TestAccount, TestApi, nextCursorOf } from '#service/testing/api.ts';
import { addAccount } from '#service/testing/records/people.ts';
import { unlimited } from '#service/testing/unlimited.ts';
import { milliseconds, percentile } from '../measure.ts';
import type { Bench } from '../measure.ts';
import { openInstallation } from '../setup/installation.ts';

const events = { pglite: 100_000, postgresql: 1_000_000 } as const;

/** How many deliveries of the webhook failed, wait, or are of a rare type. */
const few = 500;

/** The list of events and the search for one, among a million on PostgreSQL. */
export const benchEvents: Bench = async (run) => {
  for (const engine of run.engines) {
    const installation = await openInstallation(engine);
    const { ctx } = installation;
    const account = new TestAccount(
      new TestApi({ ...ctx, limiter: unlimited }),
      await addAccount(ctx),
    );
    const reader = await account.key({ scopes: ['events:read'] });
    const count = events[engine];
    await addEvents(ctx, account, count);
    await installation.analyze();

    const list = async (query: string) => await reader.get(`/api/v1/events?${query}`);
    const ids = await sampleIds(ctx, account.id);
    const deep = nextCursorOf(await list('limit=1&until=2026-11-01T00:00:00Z'));
    const requests: Record<string, (n: number) => string> = {
      'the newest page': () => 'with_outcomes=true',
      'a page in the middle': () => `with_outcomes=true&cursor=${deep}`,
      'those that failed': () => 'with_outcomes=true&outcome=failed',
      'those that are pending': () => 'with_outcomes=true&outcome=pending',
      'a rare type': () => 'with_outcomes=true&type=webhook.failing',
      'an hour': (n) =>
        `with_outcomes=true&since=2026-11-10T${String(n % 23).padStart(2, '0')}:00:00Z&until=2026-11-10T${String((n % 23) + 1).padStart(2, '0')}:00:00Z`,
      'a webhook-id': (n) => `with_outcomes=true&about=msg_${ids[n % ids.length]?.event}`,
      'the UUID of a delivery': (n) => `with_outcomes=true&about=${ids[n % ids.length]?.delivery}`,
      'the UUID of a message': (n) => `with_outcomes=true&about=${ids[n % ids.length]?.message}`,
      'the ID of a conversation': (n) => `with_outcomes=true&about=${1000 + n}`,
      'an unknown UUID': () => `with_outcomes=true&about=${crypto.randomUUID()}`,
    };
    const measure = async (name: string, call: (n: number) => Promise<{ status: number }>) => {
      const rounds: number[][] = [[], [], []];
      for (const [round, tookMs] of rounds.entries()) {
        for (let n = 0; n < (run.isFull ? 40 : 10); n += 1) {
          const began = performance.now();
          const { status } = await call(round * 40 + n);
          if (status !== 200) throw new Error(`${name} got ${status}`);
          tookMs.push(performance.now() - began);
        }
      }
      run.add(`events: ${name}, p95`, milliseconds(100), {
        engine,
        samples: rounds.map((tookMs) => ({ value: percentile(tookMs, 0.95) })),
      });
    };
    for (const [kind, queryOf] of Object.entries(requests)) {
      await measure(kind, async (n) => await list(queryOf(n)));
    }
    await measure(
      'one event',
      async (n) => await reader.get(`/api/v1/events/${ids[n % ids.length]?.event}`),
    );
    await installation.close();
  }
};

/** How many events one statement adds. */
const batch = 50_000;

/** Adds events of a month about conversations with messages, and their deliveries to two webhooks. */
async function addEvents({ db }: Context, account: TestAccount, count: number): Promise<void> {
  const busy = await account.webhook({ events: ['message.created'] });
  const quiet = await account.webhook({ events: ['conversation.closed', 'webhook.failing'] });
  const start = sql`'2026-10-30T00:00:00Z'::timestamptz`;
  const gap = sql`${`${(30 * 86_400_000) / count} milliseconds`}::interval`;
  const at = sql`date_trunc('milliseconds', ${start} + n * ${gap})`;
  const isRare = sql`n % (${count}::int / ${few}::int) = 7`;
  const place = sql`id % (${count}::int / ${few}::int)`;
  for (let done = 0; done < count; done += batch) {
    const numbers = sql`generate_series(${done}::int, ${done + batch - 1}::int)`;
    await db.execute(sql`
      insert into conversations (account_id, subject, status, created_at)
      select ${account.id}::uuid, 'Where is order ' || n || '?', 'open', ${start}
      from ${numbers} as n where n % 5 = 0 order by n`);
    await db.execute(sql`
      with message as (
        insert into messages (account_id, conversation_id, author, text, created_at)
        select ${account.id}::uuid, 1 + n / 5, 'contact', 'Hello', ${at}
        from ${numbers} as n where n % 10 = 1
        returning uuid, created_at
      )
      insert into events (account_id, uuid, type, conversation_id, payload, created_at)
      select ${account.id}::uuid, gen_random_uuid(),
        case when ${isRare} then 'webhook.failing' else 'message.created' end,
        case when ${isRare} then null else 1 + n / 5 end,
        coalesce('{"data":{"message":{"uuid":"' || message.uuid || '"}}}', ${sampleEventPayload}),
        ${at}
      from ${numbers} as n left join message on message.created_at = ${at}
      order by n`);
    await db.execute(sql`
      insert into deliveries
        (account_id, webhook_id, event_id, event_type, status, due_at, attempt_count, created_at)
      select account_id, case type when 'message.created' then ${busy.id}::int else ${quiet.id}::int end,
        id, type,
        case ${place} when 3 then 'failed' when 5 then 'pending' else 'delivered' end,
        case ${place} when 5 then now() + interval '1 hour' end, 1, created_at
      from events
      where account_id = ${account.id}::uuid and id > ${done}::bigint and id <= ${done + batch}::bigint
      order by id`);
  }
}

type SampleIds = { event: string; delivery: string; message: string };

async function sampleIds({ db }: Context, accountId: string): Promise<SampleIds[]> {
  const { rows } = await db.execute<SampleIds>(sql`
    select events.uuid as event, deliveries.uuid as delivery,
      (events.payload::jsonb #>> '{data,message,uuid}') as message
    from events
      join deliveries on deliveries.event_id = events.id
    where events.account_id = ${accountId}::uuid and events.id % 10 = 2
      and events.type = 'message.created'
    order by events.id
    limit 100`);
  return rows;
}
