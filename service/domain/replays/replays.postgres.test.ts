import { and, asc, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { EventType } from '#lib/contract/events/events.ts';
import { auditHeads } from '../../db/schema/audit.ts';
import { conversations } from '../../db/schema/conversations.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { replays } from '../../db/schema/webhooks/replays.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import type { Tx } from '../../db/open.ts';
import { dataOf, itemsOf } from '../../testing/api.ts';
import { afterWaiting } from '../../testing/databases/after-waiting.ts';
import { countLockWaits } from '../../testing/databases/count-lock-waits.ts';
import { explainStatements } from '../../testing/databases/explain-statements.ts';
import { logStatements } from '../../testing/databases/log-statements.ts';
import { addWebhook, attemptsOn, publish } from '../../testing/delivery/delivery-worker.ts';
import { TestWebhook } from '../../testing/http/test-webhook.ts';
import { addAttempt, addDelivery, addEvent } from '../../testing/records/deliveries.ts';
import { useApi } from '../../testing/use-api.ts';
import { claimLanes } from '../lanes/claim-lanes.ts';
import { completeAttempts } from '../lanes/complete-attempts.ts';
import { lockLane } from '../lanes/statements/lanes.ts';
import { advanceReplays } from './advance-replays.ts';

/** Replays on a server that runs several workers at the same time. */
const { ctx, api } = useApi({ engine: 'postgresql' });

const resume = { is_active: true, backlog: 'deliver' };

/** A webhook of an account of its own, and a key that manages it. */
async function prepare(input: { isActive?: boolean; events?: EventType[] } = {}) {
  const account = await api.account();
  const caller = await account.key();
  const webhook = new TestWebhook(await account.webhook(input), { account, caller });
  return { account, caller, webhook };
}

/** The same, paused a second ago. */
async function preparePaused(input: { events?: EventType[] } = {}) {
  const prepared = await prepare(input);
  await prepared.webhook.patch({ is_active: false });
  ctx.clock.advance(1000);
  return prepared;
}

test('any number of workers at the same time queue every event of a replay, each once', async () => {
  const { account, webhook } = await prepare();
  const rows = Array.from({ length: 6500 }, () => messageEvent(account.id));
  await ctx.db.insert(events).values(rows);
  ctx.clock.advance(1000);
  const uuid = await webhook.beginReplay('all');
  while ((await webhook.readReplay(uuid))['state'] === 'running') {
    await Promise.all(Array.from({ length: 4 }, () => advanceReplays(ctx)));
    await webhook.deliverPending();
  }
  const done = { state: 'done', total: 6500, done: 6500 };
  expect(await webhook.readReplay(uuid)).toMatchObject(done);
  const queued = await webhook.deliveries();
  expect(queued).toHaveLength(6500);
  expect(new Set(queued.map(({ eventId }) => eventId)).size).toBe(6500);
});

test('the backlog of a resumed webhook includes an event that is committed after a later one', async () => {
  const { account, webhook } = await preparePaused();
  const slow = await writeEvent(account.id);
  await ctx.db.insert(events).values(messageEvent(account.id));
  expect((await webhook.patch(resume)).status).toBe(200);
  await slow.commit();
  ctx.clock.advance(6000);
  await advanceReplays(ctx);
  await expectPending(webhook, 2);
});

test('the backlog of a resumed webhook includes an event whose statement waits for longer than it takes to begin', async () => {
  const { account, caller, webhook } = await prepare({ events: ['message.created'] });
  const created = await caller.post('/api/v1/conversations', { subject: 'Slow' });
  const { id: conversation } = dataOf(created);
  await webhook.patch({ is_active: false });
  ctx.clock.advance(1000);
  const missed = await addEvent(ctx, account.id);
  const written = await afterWaiting(ctx, {
    lock: (tx) =>
      tx.select().from(conversations).where(eq(conversations.id, conversation)).for('update'),
    call: () => {
      const body = { author: 'contact', text: 'Hello' };
      return caller.post(`/api/v1/conversations/${conversation}/messages`, body);
    },
    passesMs: 0,
    async during() {
      expect((await webhook.patch(resume)).status).toBe(200);
      ctx.clock.advance(6000);
      await advanceReplays(ctx);
      await advanceReplays(ctx);
      expect(await webhook.deliveries()).toEqual([]);
    },
  });
  expect(written.status).toBe(201);
  await advanceReplays(ctx);
  await expectPending(webhook, 2);
  expect(await webhook.deliveryOf(missed)).toBeDefined();
});

test.each<[when: string, total: number, lock: (tx: Tx, accountId: string) => PromiseLike<unknown>]>(
  [
    [
      'waits to be audited',
      0,
      (tx, accountId) =>
        tx.select().from(auditHeads).where(eq(auditHeads.accountId, accountId)).for('update'),
    ],
    ['counts', 1, lockDeliveries],
  ],
)(
  'the backlog of a resumed webhook includes an event that happens while the resumption %s',
  async (_when, total, lock) => {
    const { account, webhook } = await preparePaused();
    const resumed = await afterWaiting(ctx, {
      lock: (tx) => lock(tx, account.id),
      call: () => webhook.patch(resume),
      passesMs: 6000,
      during: () => addEvent(ctx, account.id),
    });
    expect(resumed.status).toBe(200);
    expect(await webhook.replays()).toMatchObject([{ total }]);
    ctx.clock.advance(6000);
    await advanceReplays(ctx);
    await expectPending(webhook, 1);
  },
);

test('the backlog of a webhook that is paused again before it is sent ends before that pause', async () => {
  const { account, webhook } = await preparePaused();
  const missed = await addEvent(ctx, account.id);
  ctx.clock.advance(1000);
  await webhook.patch(resume);
  await webhook.patch({ is_active: false });
  ctx.clock.advance(6000);
  await addEvent(ctx, account.id);
  await webhook.patch({ is_active: true });
  ctx.clock.advance(1000);
  await advanceReplays(ctx);
  expect(await webhook.deliveries()).toMatchObject([{ eventId: missed.id }]);
});

test('a backlog does not wait for events that begin to be written after it was resumed', async () => {
  const { account, webhook } = await preparePaused();
  await addEvent(ctx, account.id);
  const early = await writeEvent(account.id);
  expect((await webhook.patch(resume)).status).toBe(200);
  ctx.clock.advance(6000);
  await advanceReplays(ctx);
  expect(await webhook.deliveries()).toEqual([]);
  const later = await writeEvent(account.id);
  await early.commit();
  await advanceReplays(ctx);
  await expectPending(webhook, 2);
  await later.commit();
});

test('the results of attempts are recorded while the backlog of a resumed webhook is counted', async () => {
  const account = await api.account();
  const owner = await account.member('owner');
  const options = { account, caller: await account.key() };
  const webhook = new TestWebhook(await addWebhook(ctx, owner), options);
  await publish(ctx, owner);
  const worker = { owner: crypto.randomUUID(), leaseMs: 30_000 };
  const claimed = await claimLanes(ctx, {
    ...worker,
    limit: 9,
    maxDeliveries: 9,
    bytes: 1_000_000,
  });
  const lane = claimed.lanes.find(({ webhookId }) => webhookId === webhook.id);
  if (!lane) throw new Error('the lane was not claimed');
  await webhook.patch({ is_active: false });
  ctx.clock.advance(1000);
  const resumed = await afterWaiting(ctx, {
    lock: (tx) => tx.execute(sql`lock table events in access exclusive mode`),
    call: () => webhook.patch(resume),
    passesMs: 0,
    async during() {
      const { rows } = await ctx.db.execute(sql`
        select webhooks.id from webhooks join lanes on lanes.webhook_id = webhooks.id
        where webhooks.id = ${webhook.id} for update skip locked`);
      expect(rows).toHaveLength(1);
      await completeAttempts(ctx, {
        ...worker,
        attempts: attemptsOn(lane, { startedAt: ctx.clock.now() }),
        lanes: [{ webhookId: webhook.id, lease: lane.lease, isReleased: true }],
        isLast: true,
      });
    },
  });
  expect(resumed.status).toBe(200);
  expect(await webhook.deliveries()).toMatchObject([{ status: 'delivered' }]);
});

test('a backlog is counted again if its webhook was changed while it was counted', async () => {
  const types: EventType[] = ['message.created', 'conversation.closed'];
  const { account, webhook } = await preparePaused({ events: ['message.created'] });
  for (const type of types) await addEvent(ctx, account.id, { type });
  ctx.clock.advance(1000);
  const resumed = await afterWaiting(ctx, {
    lock: lockDeliveries,
    call: () => webhook.patch(resume),
    during: () => ctx.db.update(webhooks).set({ events: types }).where(eq(webhooks.id, webhook.id)),
  });
  expect(resumed.status).toBe(200);
  expect(await webhook.replays()).toMatchObject([{ total: 2 }]);
});

test('a step and a completion of the same deliveries wait for each other', async () => {
  const { webhook } = await prepare();
  const [first, second] = [
    await webhook.deliver({ status: 'failed' }),
    await webhook.deliver({ status: 'failed' }),
  ];
  ctx.clock.advance(1000);
  await webhook.beginReplay('failed');
  const note = async (tx: Tx, { eventId }: { eventId: number }) =>
    await tx
      .update(deliveries)
      .set({ lastError: 'It went wrong.' })
      .where(and(eq(deliveries.webhookId, webhook.id), eq(deliveries.eventId, eventId)));
  await afterWaiting(ctx, {
    async lock(tx) {
      await lockLane(tx, webhook.id);
      await note(tx, second);
    },
    call: () => advanceReplays(ctx),
    during: (tx) => note(tx, first),
  });
  await expectPending(webhook, 2);
});

test('deliveries of a replay that waits for its lane are due when it has the lane, later than every attempt before', async () => {
  const { account, webhook } = await prepare();
  await addEvent(ctx, account.id);
  await webhook.deliver({ status: 'failed' });
  ctx.clock.advance(1000);
  await webhook.beginReplay('failed');
  await afterWaiting(ctx, {
    lock: (tx) => lockLane(tx, webhook.id),
    call: () => advanceReplays(ctx),
  });
  const now = ctx.clock.now();
  const queued = await ctx.db
    .select()
    .from(deliveries)
    .where(eq(deliveries.webhookId, webhook.id))
    .orderBy(asc(deliveries.eventId));
  expect(queued).toMatchObject([
    { status: 'pending', dueAt: now, createdAt: now },
    { status: 'pending', dueAt: now },
  ]);
});

test('a step has read its events before it locks the lane, for which completions wait', async () => {
  const { account, webhook } = await prepare();
  await addEvent(ctx, account.id);
  ctx.clock.advance(1000);
  await webhook.beginReplay('all');
  const statements: string[] = [];
  await advanceReplays({ ...ctx, db: logStatements(ctx.database, statements) });
  const lock = statements.findIndex((text) => /from "lanes".* for update/.test(text));
  const read = statements.findLastIndex((text) => text.includes('from "events"'));
  expect(read).toBeGreaterThan(-1);
  expect(lock).toBeGreaterThan(read);
});

test('the events of a replay are counted before its webhook is locked', async () => {
  const { webhook } = await prepare();
  ctx.clock.advance(1000);
  const since = ctx.clock.apiTime(-1000);
  const begun = await afterWaiting(ctx, {
    lock: lockDeliveries,
    call: () => webhook.replay({ since, status: 'all' }),
    async during() {
      const free = sql`select id from webhooks where id = ${webhook.id} for update skip locked`;
      expect((await ctx.db.execute(free)).rows).toHaveLength(1);
    },
  });
  expect(begun.status).toBe(201);
});

test('a replay whose webhook is deleted while its cancellation waits is not found', async () => {
  const { account, caller, webhook } = await prepare();
  const event = await addEvent(ctx, account.id);
  ctx.clock.advance(1000);
  const replayUuid = await webhook.beginReplay('all');
  await addDelivery(ctx, event, { webhookId: webhook.id, replayUuid });
  const { both } = await ctx.db.transaction(async (tx) => {
    await tx.select().from(replays).where(eq(replays.uuid, replayUuid)).for('update');
    const deleted = caller.delete(`/api/v1/webhooks/${webhook.id}`);
    await expect.poll(() => countLockWaits(ctx)).toBe(1);
    const cancelled = webhook.cancelReplay(replayUuid);
    await expect.poll(() => countLockWaits(ctx)).toBe(2);
    return { both: Promise.all([deleted, cancelled]) };
  });
  const [deleted, cancelled] = await both;
  expect([deleted.status, cancelled.status]).toEqual([204, 404]);
  expect((await webhook.deliveries()).filter(({ status }) => status === 'cancelled')).toEqual([]);
  const [entry] = itemsOf(await caller.get('/api/v1/audit-log'));
  expect(entry).toMatchObject({ action: 'webhook.deleted' });
});

test('a step reads a page of events, and none from after the window', async () => {
  const { account, webhook } = await prepare();
  await manyDelivered(account.id, webhook, 10_500);
  await webhook.deliver({ status: 'failed' });
  ctx.clock.advance(1000);
  const uuid = await webhook.beginReplay('failed');
  // The count knows where the first of them is. A replay of a quiet window begins further back.
  await ctx.db.update(replays).set({ cursorEventId: 0 }).where(eq(replays.uuid, uuid));
  ctx.clock.advance(120_000);
  await manyDelivered(account.id, webhook, 10_500);
  await advanceReplays(ctx);
  const [replay] = await webhook.replays();
  expect(replay).toMatchObject({ state: 'running', done: 0 });
  expect(replay?.cursorEventId).toBeGreaterThan(0);
  await advanceReplays(ctx);
  expect(await webhook.replays()).toMatchObject([{ state: 'done', done: 1 }]);
}, 60_000);

test('64-bit counts of a server are returned as numbers', async () => {
  const { caller, webhook } = await prepare();
  const tested = dataOf(await webhook.sendTest({}));
  const [delivery] = await webhook.deliveries();
  if (!delivery) throw new Error('the test was not queued');
  await addAttempt(ctx, delivery);
  expect(dataOf(await webhook.getDelivery(tested.id))).toMatchObject({
    id: tested.id,
    attempts: [{ status_code: 200 }],
  });
  expect(itemsOf(await webhook.listDeliveries('?limit=1'))).toEqual([
    { ...tested, last_attempt_at: expect.any(String), last_duration_ms: 100 },
  ]);
  const { retention_days: _, ...counts } = dataOf(await webhook.totals());
  const totals = Object.values(counts);
  expect(totals).toEqual(totals.map(() => ({ count: expect.any(Number), has_more: false })));
  const [event] = itemsOf(await caller.get('/api/v1/events'));
  expect(event).toMatchObject({ id: expect.any(Number) });
  const statistics = { delivered: 1, failed: 0, success_rate: 1, p50_ms: 100 };
  expect(dataOf(await webhook.statistics())).toMatchObject(statistics);
});

test('finding running replays costs the same, however many have ended', async () => {
  const { id: accountId } = await api.account();
  await ctx.db.execute(sql`
    insert into replays (account_id, webhook_id, since, until, status_filter, state, total, created_at,
      created_by, finished_at)
    select ${accountId}::uuid, 1, now(), now(), 'all', case number % 2 when 0 then 'done' else 'cancelled' end,
      0, now(), '{}', now()
    from generate_series(1, 20000) as number`);
  await ctx.maintenanceDb.execute(sql`vacuum analyze replays`);
  const { db, explained, close } = await explainStatements(ctx.database);
  await advanceReplays({ ...ctx, db });
  await close();
  expect(explained).toHaveLength(2);
  for (const { statement, blocks } of explained) expect(blocks, statement).toBeLessThan(10);
});

/**
 * Adds events that a webhook was sent, as if they happened now, and updates the planner’s
 * statistics, as the service does when its tables have grown.
 */
async function manyDelivered(
  accountId: string,
  webhook: { id: number },
  count: number,
): Promise<void> {
  const now = ctx.clock.now().toISOString();
  await ctx.db.execute(sql`
    with event as (
      insert into events (account_id, uuid, type, payload, created_at)
      select ${accountId}::uuid, gen_random_uuid(), 'message.created', '{}', ${now}::timestamptz
      from generate_series(1, ${count}::int)
      returning id
    )
    insert into deliveries (account_id, webhook_id, event_id, event_type, status, created_at)
    select ${accountId}::uuid, ${webhook.id}::int, id, 'message.created', 'delivered', ${now}::timestamptz
    from event`);
  await ctx.maintenanceDb.execute(sql`analyze events, deliveries`);
}

function lockDeliveries(tx: Tx): PromiseLike<unknown> {
  return tx.execute(sql`lock table deliveries in access exclusive mode`);
}

/** Writes an event in a transaction that is committed later. */
async function writeEvent(accountId: string): Promise<{ commit: () => Promise<void> }> {
  const isWritten = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const written = ctx.db.transaction(async (tx) => {
    await tx.insert(events).values(messageEvent(accountId));
    isWritten.resolve();
    await mayCommit.promise;
  });
  await isWritten.promise;
  return {
    async commit() {
      mayCommit.resolve();
      await written;
    },
  };
}

function messageEvent(accountId: string): typeof events.$inferInsert {
  return {
    accountId,
    uuid: crypto.randomUUID(),
    type: 'message.created',
    payload: '{"data":{}}',
    createdAt: ctx.clock.now(),
  };
}

async function expectPending(webhook: TestWebhook, count: number): Promise<void> {
  const pending = Array.from({ length: count }, () => ({ status: 'pending' }));
  expect(await webhook.deliveries()).toMatchObject(pending);
}
