import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { dataOf, detailsOf, itemsOf, nextCursorOf } from '../../../testing/api.ts';
import { useWebhook } from '../../../testing/http/test-webhook.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const webhook = useWebhook({ account, caller });

describe('the deliveries of a webhook', () => {
  test('are listed with their present state', async () => {
    const event = await addEvent(ctx, account.id);
    const row = await addDelivery(ctx, event, {
      webhookId: webhook.id,
      attemptCount: 2,
      lastStatusCode: 503,
      lastError: 'The receiver responded with 503.',
    });
    for (const reference of [webhook.id, webhook.uuid]) {
      const response = await caller.get(`/api/v1/webhooks/${reference}/deliveries`);
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        success: true,
        data: [
          {
            id: row.id,
            uuid: row.uuid,
            webhook_id: webhook.id,
            event: { uuid: event.uuid, type: 'message.created', created_at: ctx.clock.apiTime() },
            status: 'pending',
            attempt_count: 2,
            next_attempt_at: ctx.clock.apiTime(),
            attempts_left: 8,
            gives_up_at: ctx.clock.apiTime((27 * 60 + 35) * minuteMs + 5000),
            last_attempt_at: null,
            last_duration_ms: null,
            last_status_code: 503,
            last_error: 'The receiver responded with 503.',
            created_at: ctx.clock.apiTime(),
            finished_at: null,
            replay_uuid: null,
          },
        ],
        next_cursor: null,
      });
    }
  });

  test('say when their latest attempt began and how long it took', async () => {
    const delivery = await webhook.deliver({ attemptCount: 2 });
    await addAttempt(ctx, delivery, { number: 1, durationMs: 15_000 });
    const retriedAt = new Date(ctx.clock.now().getTime() + 5000);
    await addAttempt(ctx, delivery, { number: 2, durationMs: 184, startedAt: retriedAt });
    await webhook.deliver();
    const latest = { last_attempt_at: formatApiTime(retriedAt), last_duration_ms: 184 };
    expect(itemsOf(await webhook.listDeliveries())).toMatchObject([
      { last_attempt_at: null },
      latest,
    ]);
    expect(dataOf(await webhook.getDelivery(delivery.id))).toMatchObject(latest);
    expect(dataOf(await webhook.retry(delivery.id))).toMatchObject(latest);
  });

  test('come newest first by the time they show, also if a replay made them of older events', async () => {
    const old = await addEvent(ctx, account.id, {
      at: new Date(ctx.clock.now().getTime() - dayMs),
    });
    const first = await webhook.deliver();
    ctx.clock.advance(1000);
    const replayed = await addDelivery(ctx, old, {
      webhookId: webhook.id,
      createdAt: ctx.clock.now(),
      replayUuid: crypto.randomUUID(),
    });
    expect(itemsOf(await webhook.listDeliveries())).toMatchObject([
      { id: replayed.id, created_at: ctx.clock.apiTime(), replay_uuid: replayed.replayUuid },
      { id: first.id, created_at: ctx.clock.apiTime(-1000), replay_uuid: null },
    ]);
    expect(await webhook.listedIds('?replayed=true')).toEqual([replayed.id]);
    expect(await webhook.listedIds('?replayed=false')).toEqual([first.id]);
  });

  test('are paged through once each', async () => {
    const made: number[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await webhook.deliver()).id);
    await addDelivery(ctx, await addEvent(ctx, account.id), {
      webhookId: (await account.webhook()).id,
    });
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await webhook.listDeliveries(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...itemsOf(page).map(({ id }) => id));
      cursor = nextCursorOf(page);
    }
    expect(seen).toEqual(made);
  });

  test('are filtered by status, type and time, all at once', async () => {
    const before = await webhook.deliver({ status: 'failed' });
    ctx.clock.advance(60_000);
    const failed = await webhook.deliver({ status: 'failed' });
    const delivered = await webhook.deliver({ status: 'delivered' });
    const event = await addEvent(ctx, account.id, { type: 'conversation.closed' });
    const closed = await addDelivery(ctx, event, { webhookId: webhook.id });
    const at = encodeURIComponent(ctx.clock.apiTime());
    const asWritten = String(
      itemsOf(await webhook.listDeliveries('?status=delivered'))[0]?.created_at,
    );
    expect(await webhook.listedIds('?status=failed')).toEqual([failed.id, before.id]);
    expect(await webhook.listedIds('?status=delivered')).toEqual([delivered.id]);
    expect(await webhook.listedIds('?type=conversation.closed')).toEqual([closed.id]);
    expect(await webhook.listedIds(`?until=${at}`)).toEqual([before.id]);
    expect(asWritten).toContain('+');
    expect(await webhook.listedIds(`?until=${asWritten}`)).toEqual([before.id]);
    expect(await webhook.listedIds(`?since=${at}&status=failed&type=message.created`)).toEqual([
      failed.id,
    ]);
  });

  test('can be followed: also a newer delivery of an older event comes, if the filters match', async () => {
    const missed = await addEvent(ctx, account.id);
    await webhook.deliver();
    const follow = async (position: string) => {
      const response = await webhook.listDeliveries(`?status=pending&follow=${position}`);
      const { follow_cursor: next } = response.body as { follow_cursor: string };
      return { ids: itemsOf(response).map(({ id }) => id), next };
    };
    const { next } = await follow('now');
    const second = await webhook.deliver();
    await webhook.deliver({ status: 'failed' });
    const replayed = await addDelivery(ctx, missed, { webhookId: webhook.id });
    expect((await follow(next)).ids).toEqual([second.id, replayed.id]);
  });

  test.each([
    ['?status=lost', 'status'],
    ['?type=message.deleted', 'type'],
    ['?since=yesterday', 'since'],
    ['?until=2026-02-30T00:00:00Z', 'until'],
    ['?follow=1', 'follow'],
    ['?cursor=nonsense', 'cursor'],
    ['?limit=101', 'limit'],
  ])('asked for with %s are refused at %s', async (query, field) => {
    const response = await webhook.listDeliveries(query);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test('need events:read', async () => {
    const manager = await account.key({ scopes: ['webhooks:manage'] });
    const { id } = await webhook.deliver();
    expect((await webhook.listDeliveries('', manager)).status).toBe(403);
    expect((await webhook.getDelivery(id, manager)).status).toBe(403);
    expect((await webhook.statistics('', manager)).status).toBe(403);
    const path = `/api/v1/webhooks/${webhook.id}/deliveries`;
    expect((await api.call('GET', path)).status).toBe(401);
  });

  test('are no longer visible once their webhook is deleted, and neither are attempts and statistics', async () => {
    const { id, uuid } = await webhook.deliver({ status: 'failed' });
    const replay = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-hourMs), status: 'all' }),
    );
    await caller.delete(`/api/v1/webhooks/${webhook.id}`);
    for (const path of [
      `/webhooks/${webhook.id}/deliveries`,
      `/webhooks/${webhook.id}/statistics`,
      `/deliveries/${id}`,
      `/deliveries/${uuid}`,
      `/replays/${replay['uuid']}`,
    ]) {
      expect((await caller.get(`/api/v1${path}`)).status).toBe(404);
    }
    expect((await webhook.retry(id)).status).toBe(404);
  });
});

describe('deliveries that had a failed attempt', () => {
  /** One of each kind, all made an hour ago, and one delivery made now; ids by their kind. */
  async function deliverEach() {
    const createdAt = new Date(ctx.clock.now().getTime() - hourMs);
    const made = {
      waiting: await webhook.deliver({ createdAt }),
      deliveredAtOnce: await webhook.deliver({ createdAt, status: 'delivered', attemptCount: 1 }),
      deliveredTwice: await webhook.deliver({ createdAt, status: 'delivered', attemptCount: 2 }),
      deliveredAfterRetry: await webhook.deliver({
        createdAt,
        status: 'delivered',
        attemptCount: 2,
      }),
      deliveredAfterOurFault: await webhook.deliver({
        createdAt,
        status: 'delivered',
        attemptCount: 2,
      }),
      retrying: await webhook.deliver({ createdAt, attemptCount: 1 }),
      failed: await webhook.deliver({ createdAt, status: 'failed', attemptCount: 8 }),
      cancelled: await webhook.deliver({ createdAt, status: 'cancelled', attemptCount: 1 }),
      later: await webhook.deliver({ status: 'delivered', attemptCount: 1 }),
    };
    const refused = { statusCode: 503, startedAt: createdAt };
    for (const one of [made.deliveredAtOnce, made.deliveredTwice, made.later])
      await addAttempt(ctx, one);
    await addAttempt(ctx, made.deliveredTwice, { number: 2 });
    for (const one of [made.deliveredAfterRetry, made.retrying, made.failed, made.cancelled])
      await addAttempt(ctx, one, refused);
    await addAttempt(ctx, made.deliveredAfterRetry, { number: 2 });
    const ourFault = { statusCode: null, errorKind: 'internal', startedAt: createdAt };
    await addAttempt(ctx, made.deliveredAfterOurFault, ourFault);
    await addAttempt(ctx, made.deliveredAfterOurFault, { number: 2 });
    return made;
  }

  test('are listed as retried once they were delivered or are tried again', async () => {
    const made = await deliverEach();
    const ids = async (query: string) =>
      itemsOf(await webhook.listDeliveries(query)).map(({ id }) => id);
    const retried = [made.retrying.id, made.deliveredAfterRetry.id];
    expect(await ids('?retried=true')).toEqual(retried);
    expect(await ids('?retried=true&status=delivered')).toEqual([made.deliveredAfterRetry.id]);
    const others = Object.values(made).map(({ id }) => id);
    expect(await ids('?retried=false')).toEqual(
      others.filter((id) => !retried.includes(id)).toReversed(),
    );
    expect(Object.keys(detailsOf(await webhook.listDeliveries('?retried=maybe')))).toEqual([
      'retried',
    ]);
  });

  test('are counted by the totals as the list shows them', async () => {
    await deliverEach();
    const exactly = (count: number) => ({ count, has_more: false });
    expect(dataOf(await webhook.totals())).toEqual({
      all: exactly(9),
      pending: exactly(2),
      waiting: exactly(1),
      delivered: exactly(5),
      retried: exactly(2),
      failed: exactly(1),
      retention_days: 30,
    });
    for (const [filter, count] of [
      ['', 9],
      ['?status=pending', 2],
      ['?status=delivered', 5],
      ['?retried=true', 2],
      ['?status=failed', 1],
    ] as const) {
      expect(itemsOf(await webhook.listDeliveries(filter)), filter).toHaveLength(count);
    }
  });

  test('are counted by the totals up to a thousand', async () => {
    const made = await webhook.deliver({ status: 'delivered' });
    await ctx.db.execute(sql`
      insert into deliveries (account_id, webhook_id, event_id, event_type, status, created_at)
      select ${account.id}, ${webhook.id}, ${made.eventId} + number, 'message.created', 'failed', now()
      from generate_series(1, 1000) as number
    `);
    expect(dataOf(await webhook.totals())).toEqual({
      all: { count: 1000, has_more: true },
      pending: { count: 0, has_more: false },
      waiting: { count: 0, has_more: false },
      delivered: { count: 1, has_more: true },
      retried: { count: 0, has_more: false },
      failed: { count: 1000, has_more: false },
      retention_days: 30,
    });
  });

  test('are counted by the statistics as the list shows them, in the half hour in which they were created', async () => {
    await webhook.makeOld();
    await deliverEach();
    const counted = dataOf<{
      deliveries: Record<string, number>;
      buckets: { start: string; deliveries: Record<string, number> }[];
    }>(await webhook.statistics());
    const anHourAgo = {
      total: 8,
      delivered: 4,
      delivered_after_retry: 1,
      retrying: 1,
      failed: 1,
    };
    expect(counted.deliveries).toEqual({ ...anHourAgo, total: 9, delivered: 5 });
    const [before, , last] = counted.buckets.slice(-3);
    expect(before?.deliveries).toEqual(anHourAgo);
    expect(last?.deliveries).toMatchObject({ total: 1, delivered: 1 });

    const span = `since=${encodeURIComponent(before?.start ?? '')}&until=${encodeURIComponent(last?.start ?? '')}`;
    for (const [filter, count] of [
      ['', 8],
      ['&status=delivered', 4],
      ['&status=failed', 1],
      ['&retried=true', 2],
    ] as const) {
      expect(itemsOf(await webhook.listDeliveries(`?${span}${filter}`)), filter).toHaveLength(
        count,
      );
    }
  });
});
