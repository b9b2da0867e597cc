import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PersonActor } from '../domain/actor.ts';
import { claimLanes } from '../domain/lanes/claim-lanes.ts';
import { LaneTouches } from '../domain/lanes/lane-touches.ts';
import { settleAttempts } from '../domain/lanes/settle-attempts.ts';
import { sweepLanes } from '../domain/lanes/sweep-lanes.ts';
import { takeDeliveries } from '../domain/lanes/take-deliveries.ts';
import { TestApi } from '../testing/api.ts';
import { createTestContext } from '../testing/context.ts';
import type { TestContext } from '../testing/context.ts';
import { explainStatements } from '../testing/databases/explain-statements.ts';
import { addWebhook, attemptsOn, publishUntouched } from '../testing/delivery/delivery-worker.ts';
import { isFullRun } from '../testing/full-run.ts';

// Where an installation has a hundred times as many events, deliveries and keys, in a thousand
// accounts, a statement that is asked often must not touch more of the database. Blocks are counted
// rather than time, which depends on the machine.

const accounts = 1000;
const [few, many] = [1000, isFullRun ? 100_000 : 10_000];
/** What finds a row touches one block more for each level that an index has grown by. */
const mostGrowth = { times: 1.3, indexDescents: 20 };

let plain: TestContext;
let owner: PersonActor;
let webhookId: number;
let newToken: () => Promise<string>;

beforeAll(async () => {
  plain = await createTestContext({ engine: 'postgresql' });
  const account = await new TestApi(plain).account();
  owner = await account.member('owner');
  ({ id: webhookId } = await addWebhook(plain, owner));
  newToken = async () => (await account.key()).token;
  await publishUntouched(plain, owner, 50);
  const api = new TestApi(plain);
  const token = await newToken();
  for (let made = 1; made <= 30; made += 1) {
    const body = { subject: `Conversation ${made}` };
    const answer = await api.call('POST', '/api/v1/conversations', { token, body });
    expect(answer.status, answer.text).toBe(201);
  }
  await plain.db.execute(sql`
    insert into accounts (id, name, created_at)
    select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid, 'Account ' || number, now()
    from generate_series(1, ${accounts}::int) as number`);
}, 120_000);
afterAll(async () => {
  await plain.dispose();
});

test('hot statements touch as much of a large database as of a small one', async () => {
  await addRows(1, few);
  // By the plans of a large one: the planner reads a small table whole, which is less.
  const small = await touchedBlocks({ isPlannedAsLarge: true });
  await addRows(few + 1, many);
  const large = await touchedBlocks({ isPlannedAsLarge: false });
  for (const [what, blocks] of large) {
    const before = small.get(what) ?? 0;
    const most = before * mostGrowth.times + mostGrowth.indexDescents;
    expect(blocks, `${what}: ${before} blocks before`).toBeLessThanOrEqual(most);
  }
}, 240_000);

/** For each hot path, the blocks that its statements touch. */
async function touchedBlocks({
  isPlannedAsLarge,
}: {
  isPlannedAsLarge: boolean;
}): Promise<Map<string, number>> {
  const handle = await explainStatements(plain.database);
  const { db, explained } = handle;
  await handle.planAsIfLarge(isPlannedAsLarge);
  const { clock, log } = plain;
  const ctx = { ...plain, db, laneTouches: new LaneTouches({ db, clock, log }) };
  const found = new Map<string, number>();
  const measure = async <Value>(what: string, act: () => Promise<Value>): Promise<Value> => {
    explained.length = 0;
    const value = await act();
    found.set(
      what,
      explained.reduce((sum, { blocks }) => sum + blocks, 0),
    );
    expect(explained, what).not.toEqual([]);
    return value;
  };

  await measure('publish an event', () => publishUntouched(ctx, owner));
  await measure('touch a lane', async () => {
    ctx.laneTouches.add([webhookId]);
    await ctx.laneTouches.idle();
  });
  const worker = { owner: randomUUID(), leaseMs: 30_000 };
  const size = { room: 4, bytes: 32_768 };
  const { lanes } = await measure('claim lanes', () =>
    claimLanes(ctx, { ...worker, ...size, limit: 100 }),
  );
  const [lane] = lanes.filter((each) => each.webhookId === webhookId);
  if (!lane) throw new Error('the lane was not claimed');
  const { lease } = lane;
  await measure('take deliveries', () =>
    takeDeliveries(ctx, {
      owner: worker.owner,
      lanes: [{ webhookId, lease, after: null, heldIds: [], ...size }],
    }),
  );
  await measure('settle attempts', () =>
    settleAttempts(ctx, {
      ...worker,
      attempts: attemptsOn(lane, { startedAt: ctx.clock.now() }),
      lanes: [{ webhookId, lease, isReleased: true }],
      isLast: true,
    }),
  );
  await measure('sweep lanes', () => sweepLanes(ctx));

  const api = new TestApi(ctx);
  const token = await newToken();
  for (const path of ['api-key', 'webhooks', 'api-keys', 'events', 'conversations']) {
    await measure(`GET /${path}`, async () => {
      expect((await api.call('GET', `/api/v1/${path}`, { token })).status).toBe(200);
    });
  }
  const deliveries = `/api/v1/webhooks/${webhookId}/deliveries`;
  await measure('GET /webhooks/…/deliveries', async () => {
    expect((await api.call('GET', deliveries, { token })).status).toBe(200);
  });
  handle.close();
  return found;
}

/**
 * Adds events with a delivery each, conversations, keys with their tokens, and a tenth as many sleeping webhooks,
 * numbered from `first` to `last`, to the thousand accounts in turn.
 */
async function addRows(first: number, last: number): Promise<void> {
  const numbers = sql`(
    select number,
      ('00000000-0000-4000-8000-' || lpad((number % ${accounts} + 1)::text, 12, '0'))::uuid as account_id,
      now() - number * interval '1 second' as at, number % ${few / 10} as kind
    from generate_series(${first}::int, ${last}::int) as number
  ) as numbers`;
  const by = `'{"type": "service"}'::jsonb`;
  const { db } = plain.database;
  await db.execute(sql`
    with made as (
      insert into webhooks (account_id, name, url, events, is_active, created_at, updated_at)
      select account_id, 'Webhook', 'https://receiver.example.com/', '{conversation.closed}', true, at, at
      from ${numbers} where number % 10 = 0
      returning account_id, id
    )
    insert into lanes (webhook_id, account_id) select id, account_id from made`);
  await db.execute(sql`
    with made as (
      insert into events (account_id, uuid, type, conversation_id, payload, created_at)
      select account_id, gen_random_uuid(), 'conversation.closed', number, '{}', at from ${numbers}
      returning account_id, id, created_at
    )
    insert into deliveries (account_id, webhook_id, event_id, event_type, status, attempt_count,
      tries, last_status_code, created_at, finished_at)
    select distinct on (made.id) made.account_id, webhooks.id, made.id, 'conversation.closed',
      'delivered', 1, 1, 200, made.created_at, made.created_at
    from made join webhooks using (account_id)`);
  await db.execute(sql`
    insert into conversations (account_id, subject, status, created_at)
    select account_id, 'Conversation', 'open', at from ${numbers}`);
  await db.execute(sql`
    with made as (
      insert into api_keys (account_id, name, type, created_at, created_by, updated_at)
      select account_id, 'Key', 'full', at, ${sql.raw(by)}, at from ${numbers}
      returning account_id, id, created_at
    )
    insert into api_key_tokens (account_id, api_key_id, digest, last_four, created_at, created_by)
    select account_id, id, sha256(id::text::bytea), 'abcd', created_at, ${sql.raw(by)} from made`);
  await plain.database.maintenanceDb.execute(sql`vacuum analyze`);
}
