import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditHeads } from '../../db/schema/audit.ts';
import { conversations } from '../../db/schema/conversations.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { replays } from '../../db/schema/webhooks/replays.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import { dataOf, itemsOf } from '../../testing/api.ts';
import { countLockWaits } from '../../testing/databases/count-lock-waits.ts';
import { logStatements } from '../../testing/databases/log-statements.ts';
import { explainStatements } from '../../testing/databases/explain-statements.ts';
import { addWebhook, attemptsOn, publish } from '../../testing/delivery/delivery-worker.ts';
import { addAttempt, addDelivery, addEvent } from '../../testing/records/deliveries.ts';
import { useApi } from '../../testing/use-api.ts';
import { claimLanes } from '../lanes/claim-lanes.ts';
import { settleAttempts } from '../lanes/settle-attempts.ts';
import { lockLane } from '../lanes/statements/lanes.ts';
import { advanceReplays } from './advance-replays.ts';

/** Replays on a server that runs several workers at once. */
const { ctx, api } = useApi({ engine: 'postgresql' });

test('any number of workers at once queue every event of a replay, each once', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const webhook = await account.webhook();
  const rows = Array.from({ length: 6500 }, () => messageEvent(account.id));
  await ctx.db.insert(events).values(rows);
  const since = ctx.clock.now().toISOString();
  ctx.clock.advance(1000);
  const path = `/api/v1/webhooks/${webhook.id}`;
  const { uuid } = dataOf(
    await api.call('POST', `${path}/replays`, { token, body: { since, status: 'all' } }),
  );
  const replay = async () =>
    dataOf(await api.call('GET', `/api/v1/replays/${String(uuid)}`, { token }));
  while ((await replay())['state'] === 'running') {
    await Promise.all(Array.from({ length: 4 }, () => advanceReplays(ctx)));
    await ctx.db.update(deliveries).set({ status: 'delivered', dueAt: null });
  }
  expect(await replay()).toMatchObject({ state: 'done', total: 6500, done: 6500 });
  const queued = await ctx.db.query.deliveries.findMany();
  expect(queued).toHaveLength(6500);
  expect(new Set(queued.map(({ eventId }) => eventId)).size).toBe(6500);
});

test('the backlog of a resumed webhook includes an event that is committed after a later one', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const webhook = await account.webhook();
  const path = `/api/v1/webhooks/${webhook.id}`;
  const patch = async (body: unknown) => await api.call('PATCH', path, { token, body });
  await patch({ is_active: false });
  ctx.clock.advance(1000);
  const isWritten = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const slowEvent = ctx.db.transaction(async (tx) => {
    await tx.insert(events).values(messageEvent(account.id));
    isWritten.resolve();
    await mayCommit.promise;
  });
  await isWritten.promise;
  await ctx.db.insert(events).values(messageEvent(account.id));
  expect((await patch({ is_active: true, backlog: 'deliver' })).status).toBe(200);
  mayCommit.resolve();
  await slowEvent;
  ctx.clock.advance(6000);
  await advanceReplays(ctx);
  expect(await deliveriesTo(webhook)).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
});

test('the backlog of a resumed webhook includes an event whose statement waits for longer than it takes to begin', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const caller = api.as(token);
  const webhook = await account.webhook({ events: ['message.created'] });
  const path = `/api/v1/webhooks/${webhook.id}`;
  const created = await caller.post('/api/v1/conversations', { subject: 'Slow' });
  const { id: conversation } = dataOf<{ id: number }>(created);
  await caller.patch(path, { is_active: false });
  ctx.clock.advance(1000);
  const missed = await addEvent(ctx, account.id);
  const { written } = await ctx.db.transaction(async (tx) => {
    await tx.select().from(conversations).where(eq(conversations.id, conversation)).for('update');
    const body = { author: 'contact', text: 'Hello' };
    const writing = caller.post(`/api/v1/conversations/${conversation}/messages`, body);
    await untilSomethingWaits();
    const resumed = await caller.patch(path, { is_active: true, backlog: 'deliver' });
    expect(resumed.status).toBe(200);
    ctx.clock.advance(6000);
    await advanceReplays(ctx);
    await advanceReplays(ctx);
    expect(await deliveriesTo(webhook)).toEqual([]);
    return { written: writing };
  });
  expect((await written).status).toBe(201);
  await advanceReplays(ctx);
  const queued = await deliveriesTo(webhook);
  expect(queued).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
  expect(queued.map(({ eventId }) => eventId)).toContain(missed.id);
});

test('the backlog of a resumed webhook includes an event that happens while the resumption waits to be audited', async () => {
  const account = await api.account();
  const caller = api.as((await account.key()).token);
  const webhook = await account.webhook();
  const path = `/api/v1/webhooks/${webhook.id}`;
  await caller.patch(path, { is_active: false });
  ctx.clock.advance(1000);
  const { resumed } = await ctx.db.transaction(async (tx) => {
    await tx.select().from(auditHeads).where(eq(auditHeads.accountId, account.id)).for('update');
    const waiting = caller.patch(path, { is_active: true, backlog: 'deliver' });
    await untilSomethingWaits();
    ctx.clock.advance(6000);
    await addEvent(ctx, account.id);
    return { resumed: waiting };
  });
  expect((await resumed).status).toBe(200);
  ctx.clock.advance(1000);
  await advanceReplays(ctx);
  expect(await deliveriesTo(webhook)).toMatchObject([{ status: 'pending' }]);
});

test('the backlog of a webhook that is paused again before it is sent ends before that pause', async () => {
  const account = await api.account();
  const caller = api.as((await account.key()).token);
  const webhook = await account.webhook();
  const path = `/api/v1/webhooks/${webhook.id}`;
  await caller.patch(path, { is_active: false });
  ctx.clock.advance(1000);
  const missed = await addEvent(ctx, account.id);
  ctx.clock.advance(1000);
  await caller.patch(path, { is_active: true, backlog: 'deliver' });
  await caller.patch(path, { is_active: false });
  ctx.clock.advance(6000);
  await addEvent(ctx, account.id);
  await caller.patch(path, { is_active: true });
  ctx.clock.advance(1000);
  await advanceReplays(ctx);
  expect(await deliveriesTo(webhook)).toMatchObject([{ eventId: missed.id }]);
});

test('a backlog does not wait for events that begin to be written after it was resumed', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const webhook = await account.webhook();
  const path = `/api/v1/webhooks/${webhook.id}`;
  const patch = async (body: unknown) => await api.call('PATCH', path, { token, body });
  await patch({ is_active: false });
  ctx.clock.advance(1000);
  await addEvent(ctx, account.id);
  const resume = async () => await patch({ is_active: true, backlog: 'deliver' });
  const isWritten = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const writeEvent = async (isBegun: PromiseWithResolvers<void>, end: Promise<void>) =>
    await ctx.db.transaction(async (tx) => {
      await tx.insert(events).values(messageEvent(account.id));
      isBegun.resolve();
      await end;
    });
  const early = writeEvent(isWritten, mayCommit.promise);
  await isWritten.promise;
  expect((await resume()).status).toBe(200);
  ctx.clock.advance(6000);
  await advanceReplays(ctx);
  expect(await deliveriesTo(webhook)).toEqual([]);
  const isLaterWritten = Promise.withResolvers<void>();
  const mayLaterCommit = Promise.withResolvers<void>();
  const later = writeEvent(isLaterWritten, mayLaterCommit.promise);
  await isLaterWritten.promise;
  mayCommit.resolve();
  await early;
  await advanceReplays(ctx);
  expect(await deliveriesTo(webhook)).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
  mayLaterCommit.resolve();
  await later;
});

test('the backlog of a resumed webhook includes an event that happens while it is counted', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const webhook = await account.webhook();
  const path = `/api/v1/webhooks/${webhook.id}`;
  const patch = async (body: unknown) => await api.call('PATCH', path, { token, body });
  await patch({ is_active: false });
  const { resumed } = await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`lock table deliveries in access exclusive mode`);
    const begun = patch({ is_active: true, backlog: 'deliver' });
    await untilSomethingWaits();
    ctx.clock.advance(6000);
    await addEvent(ctx, account.id);
    return { resumed: begun };
  });
  expect((await resumed).status).toBe(200);
  const replay = (await ctx.db.query.replays.findMany()).find(
    (row) => row.webhookId === webhook.id,
  );
  expect(replay).toMatchObject({ total: 1 });
  ctx.clock.advance(6000);
  await advanceReplays(ctx);
  expect(await deliveriesTo(webhook)).toMatchObject([{ status: 'pending' }]);
});

test('the results of attempts are recorded while the backlog of a resumed webhook is counted', async () => {
  const account = await api.account();
  const owner = await account.member('owner');
  const { token } = await account.key();
  const webhook = await addWebhook(ctx, owner);
  const path = `/api/v1/webhooks/${webhook.id}`;
  const patch = async (body: unknown) => await api.call('PATCH', path, { token, body });
  await publish(ctx, owner);
  const worker = { owner: crypto.randomUUID(), leaseMs: 30_000 };
  const claimed = await claimLanes(ctx, { ...worker, limit: 9, room: 9, bytes: 1_000_000 });
  const lane = claimed.lanes.find(({ webhookId }) => webhookId === webhook.id);
  if (!lane) throw new Error('the lane was not claimed');
  await patch({ is_active: false });
  ctx.clock.advance(1000);

  const { resumed } = await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`lock table events in access exclusive mode`);
    const counting = patch({ is_active: true, backlog: 'deliver' });
    await untilSomethingWaits();
    const { rows } = await ctx.db.execute(sql`
      select webhooks.id from webhooks join lanes on lanes.webhook_id = webhooks.id
      where webhooks.id = ${webhook.id} for update skip locked`);
    expect(rows).toHaveLength(1);
    await settleAttempts(ctx, {
      ...worker,
      attempts: attemptsOn(lane, { startedAt: ctx.clock.now() }),
      lanes: [{ webhookId: webhook.id, lease: lane.lease, isReleased: true }],
      isLast: true,
    });
    return { resumed: counting };
  });
  expect((await resumed).status).toBe(200);
  expect(await deliveriesTo(webhook)).toMatchObject([{ status: 'delivered' }]);
});

test('a backlog is counted again if its webhook was changed meanwhile', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const webhook = await account.webhook({ events: ['message.created'] });
  const path = `/api/v1/webhooks/${webhook.id}`;
  const patch = async (body: unknown) => await api.call('PATCH', path, { token, body });
  await patch({ is_active: false });
  ctx.clock.advance(1000);
  await addEvent(ctx, account.id, { type: 'message.created' });
  await addEvent(ctx, account.id, { type: 'conversation.closed' });
  ctx.clock.advance(1000);
  const { resumed } = await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`lock table deliveries in access exclusive mode`);
    const counting = patch({ is_active: true, backlog: 'deliver' });
    await untilSomethingWaits();
    await ctx.db
      .update(webhooks)
      .set({ events: ['message.created', 'conversation.closed'] })
      .where(eq(webhooks.id, webhook.id));
    return { resumed: counting };
  });
  expect((await resumed).status).toBe(200);
  const replay = (await ctx.db.query.replays.findMany()).find(
    (row) => row.webhookId === webhook.id,
  );
  expect(replay).toMatchObject({ total: 2 });
});

test('a step and a settlement of the same deliveries wait for each other', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const webhook = await account.webhook();
  const [first, second] = [await addEvent(ctx, account.id), await addEvent(ctx, account.id)];
  for (const event of [first, second]) {
    await addDelivery(ctx, event, { webhookId: webhook.id, status: 'failed' });
  }
  const since = ctx.clock.now().toISOString();
  ctx.clock.advance(1000);
  const body = { since, status: 'failed' };
  await api.call('POST', `/api/v1/webhooks/${webhook.id}/replays`, { token, body });

  const { step } = await ctx.db.transaction(async (tx) => {
    const note = async (event: { id: number }) =>
      await tx
        .update(deliveries)
        .set({ lastError: 'It went wrong.' })
        .where(and(eq(deliveries.webhookId, webhook.id), eq(deliveries.eventId, event.id)));
    await lockLane(tx, webhook.id);
    await note(second);
    const begun = advanceReplays(ctx);
    await untilSomethingWaits();
    await note(first);
    return { step: begun };
  });
  await step;
  expect(await deliveriesTo(webhook)).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
});

test('a step has read its events before it locks the lane, for which settlements wait', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const webhook = await account.webhook();
  const since = ctx.clock.now();
  await addEvent(ctx, account.id);
  ctx.clock.advance(1000);
  const body = { since: since.toISOString(), status: 'all' };
  await api.call('POST', `/api/v1/webhooks/${webhook.id}/replays`, { token, body });
  const statements: string[] = [];
  await advanceReplays({ ...ctx, db: logStatements(ctx.database, statements) });
  const lock = statements.findIndex((text) => /from "lanes".* for update/.test(text));
  const read = statements.findLastIndex((text) => text.includes('from "events"'));
  expect(read).toBeGreaterThan(-1);
  expect(lock).toBeGreaterThan(read);
});

test('the events of a replay are counted before its webhook is locked', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const webhook = await account.webhook();
  const since = ctx.clock.now().toISOString();
  ctx.clock.advance(1000);
  const { begun } = await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`lock table deliveries in access exclusive mode`);
    const body = { since, status: 'all' };
    const path = `/api/v1/webhooks/${webhook.id}/replays`;
    const waiting = api.call('POST', path, { token, body });
    await untilSomethingWaits();
    const { rows } = await ctx.db.execute(
      sql`select id from webhooks where id = ${webhook.id} for update skip locked`,
    );
    expect(rows).toHaveLength(1);
    return { begun: waiting };
  });
  expect((await begun).status).toBe(201);
});

test('a step reads a page of events, and none from after the window', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const webhook = await account.webhook();
  const since = ctx.clock.now();
  await manyDelivered(account.id, webhook, 10_500);
  const failed = await addEvent(ctx, account.id);
  await addDelivery(ctx, failed, { webhookId: webhook.id, status: 'failed' });
  ctx.clock.advance(1000);
  const body = { since: since.toISOString(), status: 'failed' };
  const { uuid } = dataOf(
    await api.call('POST', `/api/v1/webhooks/${webhook.id}/replays`, { token, body }),
  );
  const rowOf = async () =>
    (await ctx.db.query.replays.findMany()).find((row) => row.uuid === uuid);
  // The count knows where the first of them is. A replay of a quiet window begins further back.
  await ctx.db
    .update(replays)
    .set({ cursorEventId: 0 })
    .where(eq(replays.uuid, String(uuid)));
  ctx.clock.advance(120_000);
  await manyDelivered(account.id, webhook, 10_500);
  await advanceReplays(ctx);
  expect(await rowOf()).toMatchObject({ state: 'running', done: 0 });
  expect((await rowOf())?.cursorEventId).toBeGreaterThan(0);
  await advanceReplays(ctx);
  expect(await rowOf()).toMatchObject({ state: 'done', done: 1 });
}, 60_000);

test('64-bit counts of a server are returned as numbers', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const { id } = await account.webhook();
  const post = async (path: string, body: unknown) =>
    dataOf(await api.call('POST', `/api/v1/webhooks/${id}${path}`, { token, body }));
  const get = async (path: string) => await api.call('GET', `/api/v1${path}`, { token });
  const tested = await post('/test', {});
  const delivery = (await ctx.db.query.deliveries.findMany()).find((row) => row.id === tested.id);
  if (!delivery) throw new Error('the test was not queued');
  await addAttempt(ctx, delivery);
  expect(dataOf(await get(`/deliveries/${tested.id}`))).toMatchObject({
    id: tested.id,
    attempts: [{ status_code: 200 }],
  });
  expect(itemsOf(await get(`/webhooks/${id}/deliveries?limit=1`))).toEqual([
    { ...tested, last_attempt_at: expect.any(String), last_duration_ms: 100 },
  ]);
  const { retention_days: _, ...counts } = dataOf(await get(`/webhooks/${id}/deliveries/totals`));
  const totals = Object.values(counts);
  expect(totals).toEqual(totals.map(() => ({ count: expect.any(Number), has_more: false })));
  expect(itemsOf(await get('/events'))).toMatchObject([{ id: expect.any(Number) }]);
  expect(dataOf(await get(`/webhooks/${id}/statistics`))).toMatchObject({
    delivered: 1,
    failed: 0,
    success_rate: 1,
    p50_ms: 100,
  });
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

/** Until a statement waits for a lock of another transaction. */
async function untilSomethingWaits(): Promise<void> {
  await expect.poll(() => countLockWaits(ctx)).toBeGreaterThan(0);
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

async function deliveriesTo(webhook: { id: number }) {
  return await ctx.db.select().from(deliveries).where(eq(deliveries.webhookId, webhook.id));
}
