import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import type { Db, OpenDatabase } from '../../db/open.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { claimLanes } from '../../domain/lanes/claim-lanes.ts';
import { completeAttempts } from '../../domain/lanes/complete-attempts.ts';
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
import type { TestContext } from '../context.ts';
import { FailingDatabase, statementOf } from '../databases/failing-database.ts';
import { openDeliverySuite } from './delivery-suite.ts';

/** The guarantees about lanes and their leases, on either database. */
export function describeLane(engine: OpenDatabase['engine']): void {
  describe(`a lost lease on ${engine}`, { timeout: 60_000 }, () => {
    const suite = openDeliverySuite(engine);
    const { ctx, actor, work, deliveriesOf, statusesOf, attemptsOf, laneOf, claim, complete } =
      suite;

    test('makes a late result no more than an entry in the log of attempts', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publishUnqueued(ctx, actor);
      ctx.clock.advance(5000);
      await sweepLanes(ctx);
      const late = await claim();
      ctx.clock.advance(30_000);
      const holder = await claim();
      expect(holder.lane.lease).toBe(late.lane.lease + 1);

      const before = await laneOf(webhook);
      expect(await complete(late)).toEqual([]);
      expect(await laneOf(webhook)).toEqual(before);
      expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'pending', attemptCount: 0 }]);
      expect(await attemptsOf(webhook)).toHaveLength(1);

      expect(await complete(holder)).toMatchObject([{ isReleased: true, wakeAt: null }]);
      expect(await statusesOf(webhook)).toEqual(['delivered']);
      expect(await attemptsOf(webhook)).toHaveLength(2);
    });

    test('that was undone by a crash of the server is claimed again under the same number, and a late result of the first holder changes nothing', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publish(ctx, actor);
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toBeNull();
      const unclaimed = await laneOf(webhook);
      const lost = await claim();
      await ctx.db.update(lanes).set(unclaimed).where(eq(lanes.webhookId, webhook.id));
      const holder = await claim();
      expect(holder.lane.lease).toBe(lost.lane.lease);

      expect(await complete(lost)).toEqual([]);
      expect(await statusesOf(webhook)).toEqual(['pending']);
      expect(await complete(holder)).toMatchObject([{ isReleased: true, wakeAt: null }]);
      expect(await statusesOf(webhook)).toEqual(['delivered']);
    });

    test('is claimed again by any worker once it has expired', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publish(ctx, actor);
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toBeNull();
      await claim();
      work();
      await passTime(ctx, 29_000);
      await ctx.database.ping();
      expect(suite.receivers.received).toEqual([]);
      await passTime(ctx, 1000);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
    });
  });

  describe(`a lane on ${engine}`, { timeout: 60_000 }, () => {
    const suite = openDeliverySuite(engine);
    const { ctx, actor, work, statusesOf, laneOf, isAsleep, claim, complete } = suite;

    test('that comes due while it is completed is due when it is released', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publish(ctx, actor);
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toBeNull();
      const { owner, lane } = await claim();
      await publish(ctx, actor);
      await eventually(async () => (await laneOf(webhook)).isDirty).toBe(true);
      expect(await complete({ owner, lane })).toMatchObject([
        { isReleased: false, wasDirty: true },
      ]);
      const lanesLeft = [{ ...lane, isReleased: true }];
      const last = { owner, leaseMs: 30_000, attempts: [], lanes: lanesLeft, isLast: true };
      expect(await completeAttempts(ctx, last)).toMatchObject([
        { isReleased: true, wakeAt: ctx.clock.now() },
      ]);
    });

    if (engine === 'postgresql') {
      test('that is locked when it comes due is claimed soon after', async () => {
        const webhook = await addWebhook(ctx, actor);
        await publish(ctx, actor);
        await ctx.db.transaction(async (tx) => {
          await tx.select().from(lanes).where(eq(lanes.webhookId, webhook.id)).for('update');
          const vainClaims = countVainClaims(ctx.db);
          work({ pace: untimed });
          // The lane stays locked, as with a wake-up on a slow disk, until a claim has found it
          // locked.
          await expect.poll(() => vainClaims.count).toBeGreaterThan(0);
          vainClaims.stop();
          expect(suite.receivers.received).toEqual([]);
        });
        await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
      });

      test('that is woken while it is being claimed is dirty after the claim, which has not read the new delivery', async () => {
        const database = new FailingDatabase(ctx.db);
        const publisher = withoutWorker({ ...ctx, db: database.db });
        const webhook = await addWebhook(ctx, actor);
        await publish(publisher, actor);
        const wake = database.holdBackOnce(statementOf.wake);
        // In an object, because the transaction would wait for a returned promise before it ends.
        const { claimed, publishing } = await ctx.db.transaction(async (tx) => {
          const { lanes: taken } = await claimLanes(
            { ...ctx, db: tx },
            {
              owner: crypto.randomUUID(),
              leaseMs: 30_000,
              limit: 9,
              maxDeliveries: 9,
              bytes: 1_000_000,
            },
          );
          const published = publish(publisher, actor);
          await wake.reached;
          return { claimed: taken, publishing: { published } };
        });
        wake.letThrough();
        await publishing.published;
        expect(claimed.map(({ deliveries }) => deliveries.length)).toEqual([1]);
        expect((await laneOf(webhook)).isDirty).toBe(true);
      });
    }

    test('that nobody woke is found and counted by the sweep', async () => {
      const webhook = await addWebhook(ctx, actor);
      const worker = work({ pace: { sweepMs: 20 } });
      await publishUnqueued(ctx, actor, 3);
      ctx.clock.advance(3000);
      await eventually(() => isAsleep(webhook)).toBe(true);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered', 'delivered', 'delivered']);
      expect(worker.repaired()).toBe(3);
    });

    test.each([
      ['its own process', (own: TestContext) => own],
      ['a process without a worker', withoutWorker<TestContext>],
    ])('otherwise gives the sweep nothing to do, with events of %s', async (_, publisherOf) => {
      const publisher = publisherOf(ctx);
      const webhook = await addWebhook(ctx, actor);
      const worker = work({ pace: { sweepMs: 5 } });
      suite.receivers.respondWith = () => (suite.receivers.received.length % 3 === 0 ? 500 : 200);
      for (let round = 0; round < 20; round += 1) {
        await publish(publisher, actor, 5);
        // Before the clock moves: a lane that is queued and not claimed yet would look forgotten
        // afterwards.
        await eventually(async () => {
          const { owner, wakeAt } = await laneOf(webhook);
          const isKnown = owner !== null || wakeAt !== null;
          return isKnown || !(await statusesOf(webhook)).includes('pending');
        }).toBe(true);
        await eventually(() => suite.receivers.received.length).toBeGreaterThan(round * 5);
        await passTime(ctx, 5000);
      }
      await eventually(async () => {
        await passTime(ctx, 5000);
        return (await statusesOf(webhook)).includes('pending');
      }).toBe(false);
      expect(worker.repaired()).toBe(0);
    });

    test('that a worker releases when it stops is taken by another immediately', async () => {
      const webhook = await addWebhook(ctx, actor);
      const respond = suite.receivers.hold();
      const beats = { ...untimed, heartbeatMs: 1000 };
      const worker = work({ pace: beats });
      await publish(ctx, actor, 3);
      await eventually(() => suite.receivers.received.length).toBe(2);
      work({ pace: beats });
      const stopped = worker.stop();
      respond(200);
      await stopped;
      await eventually(() => statusesOf(webhook)).toEqual(['delivered', 'delivered', 'delivered']);
    });

    test('without attempts in progress is released immediately by a worker that stops', async () => {
      await addWebhook(ctx, actor, { url: 'https://slow.example.com/' });
      const respond = suite.receivers.hold();
      const worker = work({ pace: untimed, limits: { sockets: 1 } });
      await publish(ctx, actor);
      await eventually(() => suite.receivers.received.length).toBe(1);
      const webhook = await addWebhook(ctx, actor);
      await publish(withoutWorker(ctx), actor);
      await eventually(async () => (await laneOf(webhook)).owner).not.toBeNull();
      const stopped = worker.stop();
      await eventually(async () => (await laneOf(webhook)).owner).toBeNull();
      expect(suite.receivers.received).toHaveLength(1);
      respond(200);
      await stopped;
    });

    test('is released by a worker that stops, after it has completed the attempts in progress', async () => {
      const webhook = await addWebhook(ctx, actor);
      const respond = suite.receivers.hold();
      const worker = work();
      await publish(ctx, actor, 20);
      await eventually(() => suite.receivers.received.length).toBe(2);
      const stopped = worker.stop();
      respond(200);
      await stopped;
      const statuses = await statusesOf(webhook);
      expect(statuses.filter((status) => status === 'delivered')).toHaveLength(2);
      expect(suite.receivers.received).toHaveLength(2);
      expect(await laneOf(webhook)).toMatchObject({ owner: null, wakeAt: ctx.clock.now() });
      work();
      await eventually(() => isAsleep(webhook)).toBe(true);
      expect(suite.receivers.received).toHaveLength(20);
    });
  });
}

/** Counts the claims that found a lane due but locked. */
function countVainClaims(db: Db): { count: number; stop: () => void } {
  const execute = db.execute.bind(db);
  const claims = { count: 0, stop: () => spy.mockRestore() };
  const executeAndCount = async (query: Parameters<typeof execute>[0]) => {
    const result = await execute(query);
    if (result.rows[0]?.['is_more_due'] === true) claims.count += 1;
    return result;
  };
  const spy = vi.spyOn(db, 'execute').mockImplementation(executeAndCount as typeof execute);
  return claims;
}
