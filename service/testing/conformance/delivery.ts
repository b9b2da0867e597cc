import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { formatApiTime } from '#lib/time.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { cancelPendingDeliveries } from '../../domain/deliveries/cancel-pending-deliveries.ts';
import { retryDelivery } from '../../domain/deliveries/retry-delivery.ts';
import { sweepLanes } from '../../domain/lanes/recover-lanes.ts';
import {
  addWebhook,
  eventually,
  passTime,
  publish,
  publishUnqueued,
  untimed,
  withoutWorker,
} from '../delivery/delivery-worker.ts';
import { openDeliverySuite } from './delivery-suite.ts';

/** The guarantees about deliveries, on either database. */
export function describeDelivery(engine: OpenDatabase['engine']): void {
  describe(`deliveries on ${engine}`, { timeout: 60_000 }, () => {
    const suite = openDeliverySuite(engine);
    const { ctx, actor, work, deliveriesOf, statusesOf, attemptsOf, laneOf, isAsleep, stateOf } =
      suite;

    test('reach every active webhook that subscribes, once, signed exactly as stored', async () => {
      const [first, second] = [await addWebhook(ctx, actor), await addWebhook(ctx, actor)];
      await addWebhook(ctx, actor, { events: ['message.created'] });
      await addWebhook(ctx, actor, { is_active: false });
      work();
      await publish(ctx, actor, 3);
      await eventually(() => isAsleep(first)).toBe(true);
      await eventually(() => isAsleep(second)).toBe(true);

      expect(suite.receivers.received).toHaveLength(6);
      expect(new Set(suite.receivers.ids).size).toBe(3);
      const stored = await ctx.db.query.events.findMany({
        where: (event) => eq(event.accountId, actor.accountId),
      });
      for (const { messageId, body } of suite.receivers.received) {
        expect(stored.find(({ uuid }) => `msg_${uuid}` === messageId)?.payload).toBe(body);
      }
      expect(await statusesOf(first)).toEqual(['delivered', 'delivered', 'delivered']);
      expect(await attemptsOf(first)).toMatchObject([
        { number: 1, statusCode: 200, durationMs: 2, waitedMs: 0, responseBody: 'ok' },
        { number: 1 },
        { number: 1 },
      ]);
      expect(await stateOf(first)).toMatchObject({
        failure_count: 0,
        last_triggered_at: formatApiTime(ctx.clock.now()),
      });
    });

    test('of a burst are all made, shared by two workers, and none is made twice', async () => {
      const hooks = await Promise.all([1, 2, 3].map(() => addWebhook(ctx, actor)));
      work();
      work();
      for (let part = 0; part < 4; part += 1) await publish(ctx, actor, 50);
      for (const webhook of hooks) {
        await eventually(() => isAsleep(webhook)).toBe(true);
        expect(new Set(await statusesOf(webhook))).toEqual(new Set(['delivered']));
        expect(await attemptsOf(webhook)).toHaveLength(200);
      }
      expect(suite.receivers.received).toHaveLength(600);
    });

    test('are retried when they are due, and not before', async () => {
      const webhook = await addWebhook(ctx, actor);
      suite.receivers.respondWith = () => 503;
      work();
      await publish(ctx, actor);
      await eventually(() => stateOf(webhook)).toMatchObject({ failure_count: 1 });
      await passTime(ctx, 4999);
      await ctx.database.ping();
      expect(await deliveriesOf(webhook)).toMatchObject([
        {
          status: 'pending',
          tries: 1,
          lastStatusCode: 503,
          lastError: 'The receiver responded with 503.',
        },
      ]);
      suite.receivers.respondWith = () => 200;
      await passTime(ctx, 1);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
      expect(suite.receivers.received).toHaveLength(2);
      expect(new Set(suite.receivers.ids).size).toBe(1);
      expect(await deliveriesOf(webhook)).toMatchObject([
        { attemptCount: 2, lastError: null, lastStatusCode: 200, dueAt: null },
      ]);
      expect(await stateOf(webhook)).toMatchObject({ failure_count: 0, failing_since: null });
    });

    test.each([
      ['first', { tries: 0, isQueued: true }],
      ['last', { tries: 3, isQueued: true }],
      ['last, asked for in another process', { tries: 3, isQueued: false }],
    ])(
      'are sent again immediately if that was requested during an attempt that failed, the %s',
      async (_what, { tries, isQueued }) => {
        const webhook = await addWebhook(ctx, actor);
        await publish(ctx, actor, 2);
        await ctx.db.update(deliveries).set({ tries });
        const failing = Promise.withResolvers<number>();
        const hanging = Promise.withResolvers<number>();
        const outcomes = [failing.promise, hanging.promise];
        suite.receivers.respondWith = () => outcomes.shift() ?? 200;
        work({ pace: untimed });
        await eventually(() => suite.receivers.received.length).toBe(2);
        ctx.clock.advance(1);
        const [sent] = await deliveriesOf(webhook);
        await retryDelivery(isQueued ? ctx : withoutWorker(ctx), actor, {
          delivery: String(sent?.id),
        });
        failing.resolve(500);
        await eventually(() => statusesOf(webhook)).toEqual(['delivered', 'pending']);
        expect(suite.receivers.ids[2]).toBe(suite.receivers.ids[0]);
        hanging.resolve(200);
        await eventually(() => isAsleep(webhook)).toBe(true);
        expect(suite.receivers.received).toHaveLength(3);
      },
    );

    test('that someone sends again keep their schedule, and do not bring a deactivation closer', async () => {
      const webhook = await addWebhook(ctx, actor);
      suite.receivers.respondWith = () => 503;
      work();
      await publish(ctx, actor);
      await eventually(() => stateOf(webhook)).toMatchObject({ failure_count: 1 });
      const [failed] = await deliveriesOf(webhook);
      await retryDelivery(ctx, actor, { delivery: String(failed?.id) });
      await eventually(() => deliveriesOf(webhook)).toMatchObject([
        {
          attemptCount: 2,
          status: 'pending',
          tries: 1,
          dueAt: failed?.dueAt,
          isRequested: false,
          scheduledAt: null,
        },
      ]);
      expect(await stateOf(webhook)).toMatchObject({ failure_count: 1 });
      await passTime(ctx, 5000);
      await eventually(() => stateOf(webhook)).toMatchObject({ failure_count: 2 });
      expect(await deliveriesOf(webhook)).toMatchObject([{ attemptCount: 3, tries: 2 }]);
    });

    test('fail for good when the schedule is used up', async () => {
      const webhook = await addWebhook(ctx, actor);
      suite.receivers.respondWith = () => 'connection_refused';
      work();
      await publish(ctx, actor);
      for (let count = 1; count <= 4; count += 1) {
        await eventually(() => stateOf(webhook)).toMatchObject({ failure_count: count });
        await eventually(async () => (await laneOf(webhook)).owner).toBeNull();
        await passTime(ctx, 5000);
      }
      expect(await statusesOf(webhook)).toEqual(['failed']);
      expect(await isAsleep(webhook)).toBe(true);
    });

    test('arrive at a webhook while another of its requests hangs', async () => {
      const webhook = await addWebhook(ctx, actor);
      const hanging = Promise.withResolvers<number>();
      suite.receivers.respondWith = () =>
        suite.receivers.received.length === 1 ? hanging.promise : 200;
      work();
      await publish(ctx, actor);
      await eventually(() => suite.receivers.received.length).toBe(1);
      for (let count = 2; count <= 4; count += 1) {
        await publish(ctx, actor);
        await eventually(() => suite.receivers.received.length).toBe(count);
      }
      await eventually(() => statusesOf(webhook)).toEqual([
        'pending',
        'delivered',
        'delivered',
        'delivered',
      ]);
      hanging.resolve(200);
      await eventually(() => isAsleep(webhook)).toBe(true);
    });

    test('go to a healthy webhook while others use all their attempts for requests that hang', async () => {
      for (let count = 0; count < 3; count += 1) {
        await addWebhook(ctx, actor, { url: 'https://hanging.example.com/' });
      }
      const hanging = Promise.withResolvers<'response_timeout'>();
      suite.receivers.respondWith = ({ url }) => (url.includes('hanging') ? hanging.promise : 200);
      work({ limits: { sockets: 50 } });
      await publish(ctx, actor, 100);
      await eventually(() => suite.receivers.received.length).toBe(6);
      const healthy = await addWebhook(ctx, actor);
      await publish(ctx, actor, 30);
      await eventually(async () =>
        (await statusesOf(healthy)).filter((status) => status === 'delivered'),
      ).toHaveLength(30);
      hanging.resolve('response_timeout');
    });

    test('are repeated after an internal error, which does not count as an attempt', async () => {
      const webhook = await addWebhook(ctx, actor);
      ctx.expectErrors(/^attempt$/);
      suite.receivers.respondWith = () => 'internal';
      work();
      await publish(ctx, actor);
      await eventually(() => attemptsOf(webhook)).toHaveLength(1);
      expect(await deliveriesOf(webhook)).toMatchObject([
        { status: 'pending', attemptCount: 1, tries: 0 },
      ]);
      expect(await stateOf(webhook)).toMatchObject({ failure_count: 0, failing_since: null });
    });

    test('wait longer with each internal error, and as at first once someone retries them', async () => {
      const webhook = await addWebhook(ctx, actor);
      ctx.expectErrors(/^attempt$/);
      suite.receivers.respondWith = () => 'internal';
      work();
      await publish(ctx, actor);
      /** How long the delivery waits for its next attempt after it had this many, in seconds. */
      const waitAfter = async (attemptCount: number) => {
        await eventually(() => deliveriesOf(webhook)).toMatchObject([{ attemptCount }]);
        const [delivery] = await deliveriesOf(webhook);
        return ((delivery?.dueAt?.getTime() ?? 0) - ctx.clock.now().getTime()) / 1000;
      };
      const retry = async () => {
        const [delivery] = await deliveriesOf(webhook);
        const uuid = delivery?.uuid ?? '';
        await retryDelivery(ctx, actor, { delivery: uuid });
        // As if a minute had passed.
        await ctx.limiter.giveBack([{ limit: 'delivery-retry', key: uuid }]);
      };
      expect(await waitAfter(1)).toBe(5);
      await passTime(ctx, 5000);
      expect(await waitAfter(2)).toBe(10);
      await retry();
      expect(await waitAfter(3)).toBe(5);

      suite.receivers.respondWith = () => 200;
      await retry();
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
      suite.receivers.respondWith = () => 'internal';
      await retry();
      expect(await waitAfter(5)).toBe(5);
    });

    test('whose event was deleted are cancelled immediately, which does not count as a failure', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publishUnqueued(ctx, actor);
      await ctx.db.delete(events).where(eq(events.accountId, actor.accountId));
      work();
      ctx.clock.advance(3000);
      await sweepLanes(ctx);
      await eventually(() => statusesOf(webhook)).toEqual(['cancelled']);
      await eventually(() => isAsleep(webhook)).toBe(true);
      expect(suite.receivers.received).toEqual([]);
      expect(await stateOf(webhook)).toMatchObject({ failure_count: 0, failing_since: null });
    });

    test('that are cancelled during an attempt stay cancelled, unless they arrive', async () => {
      const webhook = await addWebhook(ctx, actor);
      const cancelled = Promise.withResolvers<void>();
      suite.receivers.respondWith = async ({ messageId }) => {
        await cancelled.promise;
        return messageId === suite.receivers.ids[0] ? 200 : 500;
      };
      work();
      await publish(ctx, actor, 2);
      await eventually(() => suite.receivers.received.length).toBe(2);
      const owned = { accountId: actor.accountId, id: webhook.id };
      const options = { replayUuid: null, now: ctx.clock.now() };
      await ctx.db.transaction((tx) => cancelPendingDeliveries(tx, owned, options));
      expect(await statusesOf(webhook)).toEqual(['cancelled', 'cancelled']);

      cancelled.resolve();
      await eventually(() => attemptsOf(webhook)).toHaveLength(2);
      expect(await deliveriesOf(webhook)).toMatchObject([
        { status: 'delivered', attemptCount: 1, dueAt: null, lastStatusCode: 200 },
        { status: 'cancelled', attemptCount: 1, dueAt: null, lastStatusCode: 500 },
      ]);
    });

    test('that had arrived and are cancelled while they are sent again stay delivered', async () => {
      const webhook = await addWebhook(ctx, actor);
      work();
      await publish(ctx, actor);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
      const [arrived] = await deliveriesOf(webhook);
      ctx.clock.advance(1000);
      const respond = suite.receivers.hold();
      await retryDelivery(ctx, actor, { delivery: String(arrived?.id) });
      await eventually(() => suite.receivers.received.length).toBe(2);
      const owned = { accountId: actor.accountId, id: webhook.id };
      const options = { replayUuid: null, now: ctx.clock.now() };
      await ctx.db.transaction((tx) => cancelPendingDeliveries(tx, owned, options));
      expect(await statusesOf(webhook)).toEqual(['delivered']);

      respond(500);
      await eventually(() => attemptsOf(webhook)).toHaveLength(2);
      expect(await deliveriesOf(webhook)).toMatchObject([
        { status: 'delivered', attemptCount: 2, dueAt: null, lastStatusCode: 500 },
      ]);
    });
  });
}
