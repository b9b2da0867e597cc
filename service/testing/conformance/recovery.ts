import { asc, eq } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../db/open.ts';
import { attempts, deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import type { Worker } from '../../delivery/worker.ts';
import { LaneNotifier } from '../../domain/lanes/lane-notifier.ts';
import { getWebhook } from '../../domain/webhooks/read-webhooks.ts';
import { TestApi } from '../api.ts';
import type { TestContext } from '../context.ts';
import {
  ScriptedReceivers,
  addWebhook,
  eventually,
  publish,
  publishUnqueued,
  startTestWorker,
  untimed,
  withoutWorker,
} from '../delivery/delivery-worker.ts';
import { FailingDatabase, statementOf } from '../databases/failing-database.ts';
import { useApi } from '../use-api.ts';

/** How a worker continues after its statements failed, on either database. */
export function describeRecovery(engine: OpenDatabase['engine']): void {
  const { ctx: whole, owner: actor } = useApi({ engine, accountFor: 'test' });
  let ctx: TestContext;
  let database: FailingDatabase;
  let webhook: { id: number };
  let receivers: ScriptedReceivers;
  let worker: Worker;
  beforeAll(async () => {
    const { clock, log } = whole;
    database = new FailingDatabase(whole.db);
    const { db } = database;
    ctx = { ...whole, db, laneNotifier: new LaneNotifier({ db, clock, log }) };
    ctx.expectErrors(/database/);
  });
  beforeEach(async () => {
    webhook = await addWebhook(whole, actor);
    database.failures = 0;
    receivers = new ScriptedReceivers(ctx);
    // Polls and sweeps are off, so that only a worker that recovers by itself continues.
    worker = startTestWorker(ctx, { sender: receivers, pace: untimed });
  });
  afterEach(async () => {
    database.fails = () => null;
    await worker.stop();
    await whole.db.delete(deliveries);
    await whole.db.update(lanes).set({ wakeAt: null, owner: null, isDirty: false });
  });

  const deliveriesNow = async () =>
    await whole.db
      .select()
      .from(deliveries)
      .where(eq(deliveries.webhookId, webhook.id))
      .orderBy(asc(deliveries.eventId));
  const statuses = async () => (await deliveriesNow()).map(({ status }) => status);
  const attemptsNow = async () =>
    await whole.db.select().from(attempts).where(eq(attempts.webhookId, webhook.id));
  const ownerOfLane = async () =>
    (await whole.db.select().from(lanes).where(eq(lanes.webhookId, webhook.id)))[0]?.owner;

  describe(`a worker on ${engine}`, { timeout: 60_000 }, () => {
    test('counts a completion whose response was lost once, and continues with the webhook', async () => {
      receivers.respondWith = () => (receivers.received.length === 1 ? 500 : 200);
      database.failOnce(statementOf.complete, 'answer_lost');
      await publish(ctx, actor);
      await eventually(() => database.failures).toBe(1);
      await publish(ctx, actor);
      await eventually(statuses).toEqual(['pending', 'delivered']);
      expect(await attemptsNow()).toHaveLength(2);
      expect(await deliveriesNow()).toMatchObject([{ attemptCount: 1, tries: 1 }, {}]);
    });

    test('counts it once even if other attempts of the lane ended in the meantime', async () => {
      const hanging = Promise.withResolvers<number>();
      receivers.respondWith = () => (receivers.received.length === 1 ? hanging.promise : 500);
      database.failOnce(statementOf.complete, 'answer_lost');
      await publish(ctx, actor, 2);
      await eventually(() => database.failures).toBe(1);
      hanging.resolve(500);
      await eventually(ownerOfLane).toBeNull();
      expect(await attemptsNow()).toHaveLength(2);
      expect(await deliveriesNow()).toMatchObject([{ attemptCount: 1 }, { attemptCount: 1 }]);
      const state = await getWebhook(ctx, actor, { webhook: String(webhook.id) });
      expect(state).toMatchObject({ failure_count: 2 });
      expect(receivers.received).toHaveLength(2);
    });

    test('serves a lane that it claimed although the response was lost', async () => {
      database.failOnce(statementOf.claim, 'answer_lost');
      await publish(withoutWorker(ctx), actor);
      await eventually(() => database.failures).toBe(1);
      await eventually(statuses).toEqual(['delivered']);
      expect(receivers.received).toHaveLength(1);
    });

    test('is notified of deliveries even if the database failed at first', async () => {
      database.failOnce(statementOf.wake, 'refused');
      await publish(withoutWorker(ctx), actor);
      await eventually(() => database.failures).toBe(1);
      await eventually(statuses).toEqual(['delivered']);
    });

    test.each(['refused', 'answer_lost'] as const)(
      'delivers what its process published even if the database failed at first (%s)',
      async (failure) => {
        // The worker takes queued lanes once it has recorded a heartbeat. A sent delivery shows that it
        // has.
        const other = await (await new TestApi(whole).account()).member('owner');
        await addWebhook(whole, other);
        await publish(ctx, other);
        await eventually(() => receivers.received.length).toBe(1);
        database.failOnce(statementOf.claimOrWake, failure);
        await publish(ctx, actor);
        await eventually(() => database.failures).toBe(1);
        await eventually(statuses).toEqual(['delivered']);
        expect(receivers.received).toHaveLength(2);
      },
    );

    test('delivers events that came while a webhook was released', async () => {
      const completion = database.holdBackOnce(statementOf.complete);
      await publish(ctx, actor);
      await completion.reached;
      await publish(ctx, actor);
      completion.letThrough();
      await eventually(statuses).toEqual(['delivered', 'delivered']);
    });

    test('delivers events that came while it claimed an expired lane again', async () => {
      const hanging: PromiseWithResolvers<number>[] = [];
      receivers.respondWith = () => {
        const held = Promise.withResolvers<number>();
        hanging.push(held);
        return held.promise;
      };
      await publish(ctx, actor, 2);
      await eventually(() => hanging.length).toBe(2);
      const hasRunOut = { wakeAt: new Date(ctx.clock.now().getTime() - 1) };
      await whole.db.update(lanes).set(hasRunOut).where(eq(lanes.webhookId, webhook.id));
      const claim = database.holdBackOnce(statementOf.claim);
      await ctx.notifier.publish('lanes', 'due');
      await claim.reached;
      await publish(ctx, actor);
      claim.letThrough();
      await eventually(() => hanging.length).toBe(4);
      hanging[2]?.resolve(200);
      await eventually(() => hanging.length).toBe(5);
      hanging.forEach(({ resolve }) => resolve(200));
      await eventually(statuses).toEqual(['delivered', 'delivered', 'delivered']);
    });

    test('delivers what its process published while the database failed', async () => {
      receivers.respondWith = () => 500;
      database.fails = () => 'refused';
      await publish(withoutWorker(whole), actor);
      await eventually(() => database.failures).toBeGreaterThan(0);
      receivers.respondWith = () => 200;
      ctx.laneNotifier.queue(await publishUnqueued(whole, actor));
      database.fails = () => null;
      await eventually(statuses).toEqual(['delivered', 'delivered']);
    });

    test('pauses between its tries if a statement fails each time', async () => {
      const failedAt: number[] = [];
      database.fails = (statement) => {
        if (!statementOf.claim.test(statement)) return null;
        failedAt.push(performance.now());
        return 'refused';
      };
      await publish(withoutWorker(ctx), actor);
      await eventually(() => failedAt.length).toBeGreaterThan(3);
      const rests = failedAt.slice(2).map((at, index) => at - (failedAt[index + 1] ?? 0));
      expect(Math.min(...rests)).toBeGreaterThan(200);
      database.fails = () => null;
      await eventually(statuses).toEqual(['delivered']);
    });

    test('sends nothing more while it cannot write, and keeps its results until it can', async () => {
      const first = Promise.withResolvers<number>();
      const others = Promise.withResolvers<number>();
      receivers.respondWith = () => (receivers.received.length === 1 ? first : others).promise;
      await publish(ctx, actor, 40);
      await eventually(() => receivers.received.length).toBe(2);
      database.fails = () => 'refused';
      first.resolve(200);
      await eventually(() => database.failures).toBeGreaterThan(1);
      const sent = receivers.received.length;
      others.resolve(200);
      const { failures } = database;
      await eventually(() => database.failures).toBeGreaterThan(failures + 1);
      expect(receivers.received).toHaveLength(sent);
      expect(await attemptsNow()).toEqual([]);

      database.fails = () => null;
      await eventually(async () => new Set(await statuses())).toEqual(new Set(['delivered']));
      expect(receivers.received).toHaveLength(40);
      expect(await attemptsNow()).toHaveLength(40);
    });
  });
}
