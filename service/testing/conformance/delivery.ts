import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatApiTime } from '#lib/time.ts';
import type { Worker } from '../../delivery/worker.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { attempts, auditEntries, deliveries, events, lanes } from '../../db/schema.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { cancelPendingDeliveries } from '../../domain/deliveries/cancel-pending-deliveries.ts';
import { claimLanes } from '../../domain/lanes/claim-lanes.ts';
import { settleAttempts } from '../../domain/lanes/settle-attempts.ts';
import type { SettledAttempt } from '../../domain/lanes/settled-attempt.ts';
import { sweepLanes } from '../../domain/lanes/sweep-lanes.ts';
import type { TakenLane } from '../../domain/lanes/taken-delivery.ts';
import { deleteWebhook } from '../../domain/webhooks/delete-webhook.ts';
import { getWebhook } from '../../domain/webhooks/get-webhook.ts';
import { updateWebhook } from '../../domain/webhooks/update-webhook.ts';
import { warnOfDeactivation } from '../../domain/webhooks/warn-of-deactivation.ts';
import { TestApi } from '../api.ts';
import { createTestContext } from '../context.ts';
import type { TestContext } from '../context.ts';
import {
  ScriptedReceivers,
  addWebhook,
  attemptsOn,
  eventually,
  passTime,
  publish,
  publishUntouched,
  startTestWorker,
} from '../delivery/delivery-worker.ts';

const day = 86_400_000;
const takes = { room: 9, bytes: 1_000_000 };

/** What deliveries may be relied on for, whichever engine they stand in. */
export function describeDelivery(engine: OpenDatabase['engine']): void {
  let ctx: TestContext;
  let actor: PersonActor;
  let receivers: ScriptedReceivers;
  let workers: Worker[] = [];
  beforeAll(async () => {
    ctx = await createTestContext({ engine });
  });
  beforeEach(async () => {
    actor = await (await new TestApi(ctx).account()).member('owner');
    receivers = new ScriptedReceivers(ctx);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
    // Nothing of one test is due in the next.
    await ctx.db.delete(deliveries);
    await ctx.db.update(lanes).set({ wakeAt: null, owner: null, isDirty: false });
  });
  afterAll(() => ctx.dispose());

  function work(options: Partial<Parameters<typeof startTestWorker>[1]> = {}) {
    const worker = startTestWorker(ctx, { sender: receivers, ...options });
    workers.push(worker);
    return worker;
  }

  const deliveriesOf = async (webhook: { id: number }) =>
    await ctx.db
      .select()
      .from(deliveries)
      .where(eq(deliveries.webhookId, webhook.id))
      .orderBy(asc(deliveries.eventId));
  const statusesOf = async (webhook: { id: number }) =>
    (await deliveriesOf(webhook)).map(({ status }) => status);
  const attemptsOf = async (webhook: { id: number }) =>
    await ctx.db
      .select()
      .from(attempts)
      .where(eq(attempts.webhookId, webhook.id))
      .orderBy(asc(attempts.id));
  const laneOf = async (webhook: { id: number }) => {
    const [lane] = await ctx.db.select().from(lanes).where(eq(lanes.webhookId, webhook.id));
    if (!lane) throw new Error('the webhook has no lane');
    return lane;
  };
  const isAsleep = async (webhook: { id: number }) => {
    const { owner, wakeAt } = await laneOf(webhook);
    return owner === null && wakeAt === null;
  };
  const stateOf = async ({ id }: { id: number }) =>
    await getWebhook(ctx, actor, { webhook: String(id) });

  async function claim(): Promise<{ owner: string; lane: TakenLane }> {
    const owner = crypto.randomUUID();
    const { lanes: claimed } = await claimLanes(ctx, {
      owner,
      leaseMs: 30_000,
      limit: 9,
      ...takes,
    });
    const [lane] = claimed;
    if (!lane || claimed.length > 1) throw new Error(`${claimed.length} lanes were due`);
    return { owner, lane };
  }

  function attempted(lane: TakenLane, change: Partial<SettledAttempt> = {}): SettledAttempt[] {
    return attemptsOn(lane, { startedAt: ctx.clock.now(), ...change });
  }

  describe(`deliveries on ${engine}`, { timeout: 60_000 }, () => {
    test('reach every active webhook that subscribes, signed as stored, once', async () => {
      const [first, second] = [await addWebhook(ctx, actor), await addWebhook(ctx, actor)];
      await addWebhook(ctx, actor, { events: ['message.created'] });
      await addWebhook(ctx, actor, { is_active: false });
      work();
      await publish(ctx, actor, 3);
      await eventually(() => isAsleep(first)).toBe(true);
      await eventually(() => isAsleep(second)).toBe(true);

      expect(receivers.received).toHaveLength(6);
      expect(new Set(receivers.ids).size).toBe(3);
      const stored = await ctx.db.query.events.findMany({
        where: (event) => eq(event.accountId, actor.accountId),
      });
      for (const { messageId, body } of receivers.received) {
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

    test('of a burst are all made, shared by two workers, none of them twice', async () => {
      const hooks = await Promise.all([1, 2, 3].map(() => addWebhook(ctx, actor)));
      work();
      work();
      for (let part = 0; part < 4; part += 1) await publish(ctx, actor, 50);
      for (const webhook of hooks) {
        await eventually(() => isAsleep(webhook)).toBe(true);
        expect(new Set(await statusesOf(webhook))).toEqual(new Set(['delivered']));
        expect(await attemptsOf(webhook)).toHaveLength(200);
      }
      expect(receivers.received).toHaveLength(600);
    });

    test('are tried again when they are due, and not before', async () => {
      const webhook = await addWebhook(ctx, actor);
      receivers.answer = () => 503;
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
          lastError: 'The receiver answered 503.',
        },
      ]);
      receivers.answer = () => 200;
      await passTime(ctx, 1);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
      expect(receivers.received).toHaveLength(2);
      expect(new Set(receivers.ids).size).toBe(1);
      expect(await deliveriesOf(webhook)).toMatchObject([
        { attemptCount: 2, lastError: null, lastStatusCode: 200, dueAt: null },
      ]);
      expect(await stateOf(webhook)).toMatchObject({ failure_count: 0, failing_since: null });
    });

    test('fail for good when the schedule is used up', async () => {
      const webhook = await addWebhook(ctx, actor);
      receivers.answer = () => 'connection_refused';
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

    test('of one webhook arrive while another request of it hangs', async () => {
      const webhook = await addWebhook(ctx, actor);
      const hanging = Promise.withResolvers<number>();
      receivers.answer = () => (receivers.received.length === 1 ? hanging.promise : 200);
      work();
      await publish(ctx, actor);
      await eventually(() => receivers.received.length).toBe(1);
      for (let count = 2; count <= 4; count += 1) {
        await publish(ctx, actor);
        await eventually(() => receivers.received.length).toBe(count);
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

    test('go to a healthy webhook while others hang with all they may have under way', async () => {
      for (let count = 0; count < 3; count += 1) {
        await addWebhook(ctx, actor, { url: 'https://hanging.example.com/' });
      }
      const hanging = Promise.withResolvers<'response_timeout'>();
      receivers.answer = ({ url }) => (url.includes('hanging') ? hanging.promise : 200);
      work({ limits: { sockets: 50 } });
      await publish(ctx, actor, 100);
      await eventually(() => receivers.received.length).toBe(6);
      const healthy = await addWebhook(ctx, actor);
      await publish(ctx, actor, 30);
      await eventually(async () =>
        (await statusesOf(healthy)).filter((status) => status === 'delivered'),
      ).toHaveLength(30);
      hanging.resolve('response_timeout');
    });

    test('whose cause is our own fault come again and count against nobody', async () => {
      const webhook = await addWebhook(ctx, actor);
      ctx.expectErrors(/^attempt$/);
      receivers.answer = () => 'internal';
      work();
      await publish(ctx, actor);
      await eventually(() => attemptsOf(webhook)).toHaveLength(1);
      expect(await deliveriesOf(webhook)).toMatchObject([
        { status: 'pending', attemptCount: 1, tries: 0 },
      ]);
      expect(await stateOf(webhook)).toMatchObject({ failure_count: 0, failing_since: null });
    });

    test('whose event is gone are cancelled at once, which counts against nobody', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publishUntouched(ctx, actor);
      await ctx.db.delete(events).where(eq(events.accountId, actor.accountId));
      work();
      ctx.clock.advance(3000);
      await sweepLanes(ctx);
      await eventually(() => statusesOf(webhook)).toEqual(['cancelled']);
      await eventually(() => isAsleep(webhook)).toBe(true);
      expect(receivers.received).toEqual([]);
      expect(await stateOf(webhook)).toMatchObject({ failure_count: 0, failing_since: null });
    });

    test('that are cancelled under way stay so, but for those that arrive', async () => {
      const webhook = await addWebhook(ctx, actor);
      const cancelled = Promise.withResolvers<void>();
      receivers.answer = async ({ messageId }) => {
        await cancelled.promise;
        return messageId === receivers.ids[0] ? 200 : 500;
      };
      work();
      await publish(ctx, actor, 2);
      await eventually(() => receivers.received.length).toBe(2);
      const owned = { accountId: actor.accountId, id: webhook.id };
      const about = { replayUuid: null, now: ctx.clock.now() };
      await ctx.db.transaction((tx) => cancelPendingDeliveries(tx, owned, about));
      expect(await statusesOf(webhook)).toEqual(['cancelled', 'cancelled']);

      cancelled.resolve();
      await eventually(() => attemptsOf(webhook)).toHaveLength(2);
      expect(await deliveriesOf(webhook)).toMatchObject([
        { status: 'delivered', attemptCount: 1, dueAt: null, lastStatusCode: 200 },
        { status: 'cancelled', attemptCount: 1, dueAt: null, lastStatusCode: 500 },
      ]);
    });
  });

  describe(`a lost lease on ${engine}`, { timeout: 60_000 }, () => {
    test('makes the late result a mere entry in the log', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publishUntouched(ctx, actor);
      ctx.clock.advance(5000);
      await sweepLanes(ctx);
      const late = await claim();
      ctx.clock.advance(30_000);
      const holder = await claim();
      expect(holder.lane.lease).toBe(late.lane.lease + 1);

      const settle = async ({ owner, lane }: typeof late, change: Partial<SettledAttempt> = {}) =>
        await settleAttempts(ctx, {
          owner,
          leaseMs: 30_000,
          attempts: attempted(lane, change),
          lanes: [{ ...lane, isReleased: true }],
          isLast: false,
        });
      const before = await laneOf(webhook);
      expect(await settle(late)).toEqual([]);
      expect(await laneOf(webhook)).toEqual(before);
      expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'pending', attemptCount: 0 }]);
      expect(await attemptsOf(webhook)).toHaveLength(1);

      expect(await settle(holder)).toMatchObject([{ isReleased: true, wakeAt: null }]);
      expect(await statusesOf(webhook)).toEqual(['delivered']);
      expect(await attemptsOf(webhook)).toHaveLength(2);
    });

    test('is claimed again once it has run out, by whoever asks', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publish(ctx, actor);
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toBeNull();
      await claim();
      work();
      await passTime(ctx, 29_000);
      await ctx.database.ping();
      expect(receivers.received).toEqual([]);
      await passTime(ctx, 1000);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
    });
  });

  describe(`a lane on ${engine}`, { timeout: 60_000 }, () => {
    test('that came due while it was settled is due when it is released', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publish(ctx, actor);
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toBeNull();
      const { owner, lane } = await claim();
      await publish(ctx, actor);
      await eventually(async () => (await laneOf(webhook)).isDirty).toBe(true);
      const release = {
        owner,
        leaseMs: 30_000,
        attempts: attempted(lane),
        lanes: [{ ...lane, isReleased: true }],
      };
      expect(await settleAttempts(ctx, { ...release, isLast: false })).toMatchObject([
        { isReleased: false, wasDirty: true },
      ]);
      expect(await settleAttempts(ctx, { ...release, attempts: [], isLast: true })).toMatchObject([
        { isReleased: true, wakeAt: ctx.clock.now() },
      ]);
    });

    if (engine === 'postgresql') {
      test('that is locked when it is due is claimed soon after', async () => {
        const webhook = await addWebhook(ctx, actor);
        await publish(ctx, actor);
        await ctx.db.transaction(async (tx) => {
          await tx.select().from(lanes).where(eq(lanes.webhookId, webhook.id)).for('update');
          work({ pace: { pollMs: 3_600_000, sweepMs: 3_600_000 } });
          // As long as a slow disk takes to commit: the worker claims in vain meanwhile.
          await tx.execute(sql`select pg_sleep(0.3)`);
          expect(receivers.received).toEqual([]);
        });
        await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
      });
    }

    test('that nobody touched is found by the sweep, which counts it', async () => {
      const webhook = await addWebhook(ctx, actor);
      const worker = work({ pace: { sweepMs: 20 } });
      await publishUntouched(ctx, actor, 3);
      ctx.clock.advance(3000);
      await eventually(() => isAsleep(webhook)).toBe(true);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered', 'delivered', 'delivered']);
      expect(worker.repaired()).toBe(3);
    });

    test('gives the sweep nothing to do otherwise', async () => {
      const webhook = await addWebhook(ctx, actor);
      const worker = work({ pace: { sweepMs: 5 } });
      receivers.answer = () => (receivers.received.length % 3 === 0 ? 500 : 200);
      for (let round = 0; round < 20; round += 1) {
        await publish(ctx, actor, 5);
        await eventually(() => receivers.received.length).toBeGreaterThan(round * 5);
        await passTime(ctx, 5000);
      }
      await eventually(async () => {
        await passTime(ctx, 5000);
        return (await statusesOf(webhook)).includes('pending');
      }).toBe(false);
      expect(worker.repaired()).toBe(0);
    });

    test('is given back by a worker that stops, which first settles what is under way', async () => {
      const webhook = await addWebhook(ctx, actor);
      const hanging = Promise.withResolvers<number>();
      receivers.answer = () => hanging.promise;
      const worker = work();
      await publish(ctx, actor, 20);
      await eventually(() => receivers.received.length).toBe(2);
      const stopped = worker.stop();
      hanging.resolve(200);
      await stopped;
      const statuses = await statusesOf(webhook);
      expect(statuses.filter((status) => status === 'delivered')).toHaveLength(2);
      expect(receivers.received).toHaveLength(2);
      expect(await laneOf(webhook)).toMatchObject({ owner: null, wakeAt: ctx.clock.now() });
      work();
      await eventually(() => isAsleep(webhook)).toBe(true);
      expect(receivers.received).toHaveLength(20);
    });
  });

  describe(`a webhook on ${engine}`, { timeout: 60_000 }, () => {
    const setActive = async (webhook: { id: number }, is_active: boolean) =>
      await updateWebhook(ctx, actor, { webhook: String(webhook.id), is_active });

    test('that is paused gets nothing until it is resumed, and then what was pending', async () => {
      const webhook = await addWebhook(ctx, actor);
      receivers.answer = () => 500;
      work();
      await publish(ctx, actor);
      await eventually(() => stateOf(webhook)).toMatchObject({ failure_count: 1 });
      await setActive(webhook, false);
      await publish(ctx, actor);
      await passTime(ctx, 3_600_000);
      const other = await addWebhook(ctx, actor);
      await publish(ctx, actor);
      await eventually(() => attemptsOf(other)).toHaveLength(1);
      expect(await statusesOf(webhook)).toEqual(['pending']);
      expect(await attemptsOf(webhook)).toHaveLength(1);

      receivers.answer = () => 200;
      expect(await setActive(webhook, true)).toMatchObject({
        failure_count: 0,
        failing_since: null,
      });
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
    });

    test('that is paused in the middle of a backlog gets no more than what is under way', async () => {
      const webhook = await addWebhook(ctx, actor);
      const hanging = Promise.withResolvers<number>();
      receivers.answer = () => hanging.promise;
      work();
      await publish(ctx, actor, 30);
      await eventually(() => receivers.received.length).toBe(2);
      const { wakeAt: leaseEnd } = await laneOf(webhook);
      ctx.clock.advance(1);
      await setActive(webhook, false);
      // The holder answers the news by renewing its lease.
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toEqual(leaseEnd);
      hanging.resolve(200);
      await eventually(async () => (await laneOf(webhook)).owner).toBeNull();
      expect(receivers.received).toHaveLength(2);
      await setActive(webhook, true);
      await eventually(() => isAsleep(webhook)).toBe(true);
      expect(receivers.received).toHaveLength(30);
    });

    test('whose receiver is gone is deactivated at once, with an entry by the service', async () => {
      const webhook = await addWebhook(ctx, actor);
      receivers.answer = () => 410;
      work();
      await publish(ctx, actor);
      await eventually(() => stateOf(webhook)).toMatchObject({
        is_active: false,
        status: 'deactivated',
        inactive_reason: 'gone',
      });
      expect(await statusesOf(webhook)).toEqual(['failed']);
      await publish(ctx, actor);
      expect(await statusesOf(webhook)).toHaveLength(1);
      expect(await entriesOf('webhook.deactivated')).toMatchObject([
        { actor: { kind: 'system' }, target: { id: webhook.uuid } },
      ]);
      expect(mailsTo(actor)).toMatchObject([
        {
          subject: 'The webhook "Receiver" was deactivated',
        },
      ]);
      const { origin } = ctx.config.publicUrl;
      const link = `${origin}/a/${actor.accountId}/settings/webhooks/${webhook.id}`;
      expect(mailsTo(actor)[0]?.text).toContain(link);
    });

    test('that got another URL while the receiver at the old one said it is gone stays active', async () => {
      const webhook = await addWebhook(ctx, actor);
      const answer = Promise.withResolvers<number>();
      receivers.answer = () => answer.promise;
      work();
      await publish(ctx, actor);
      await eventually(() => receivers.received.length).toBe(1);
      const url = 'https://receiver.example.com/new';
      await updateWebhook(ctx, actor, { webhook: String(webhook.id), url });
      answer.resolve(410);
      await eventually(() => statusesOf(webhook)).toEqual(['failed']);
      expect(await stateOf(webhook)).toMatchObject({ is_active: true, failure_count: 1 });
      receivers.answer = () => 200;
      await publish(ctx, actor);
      await eventually(() => statusesOf(webhook)).toEqual(['failed', 'delivered']);
      expect(receivers.received.at(-1)).toMatchObject({ url });
    });

    test('that failed for five days is deactivated by the next failure, after two warnings', async () => {
      const webhook = await addWebhook(ctx, actor);
      receivers.answer = () => 500;
      work({ pace: { sweepMs: 60_000 } });
      const fail = async (failures: number) => {
        await publish(ctx, actor, failures);
        await eventually(
          async () => (await deliveriesOf(webhook)).filter(({ dueAt }) => dueAt !== null).length,
        ).toBeGreaterThan(0);
        await eventually(async () => (await laneOf(webhook)).owner).toBeNull();
      };
      const warnings = async () => {
        await warnOfDeactivation(ctx);
        return (await entriesOf('webhook.deactivation_warned')).length;
      };
      await fail(9);
      await eventually(() => stateOf(webhook)).toMatchObject({ failure_count: 9 });
      await ctx.db.delete(deliveries);

      ctx.clock.advance(2.5 * day - 1);
      expect(await warnings()).toBe(0);
      ctx.clock.advance(1);
      expect([await warnings(), await warnings()]).toEqual([1, 1]);
      ctx.clock.advance(1.5 * day);
      expect([await warnings(), await warnings()]).toEqual([2, 2]);
      await passTime(ctx, day);
      await eventually(async () => (await laneOf(webhook)).owner).toBeNull();
      expect(await stateOf(webhook)).toMatchObject({ is_active: true, failure_count: 9 });

      await publish(ctx, actor);
      await eventually(() => stateOf(webhook)).toMatchObject({
        is_active: false,
        inactive_reason: 'failing',
        failure_count: 10,
      });
      expect(await warnings()).toBe(2);
      await eventually(() => mailsTo(actor).map(({ subject }) => subject)).toEqual([
        'The webhook "Receiver" is failing',
        'The webhook "Receiver" is failing',
        'The webhook "Receiver" was deactivated',
      ]);
    });

    test('that cannot be deactivated just now is not settled twice for it', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publishUntouched(ctx, actor);
      await ctx.db
        .update(lanes)
        .set({ failureCount: 20, failingSince: new Date(ctx.clock.now().getTime() - 6 * day) })
        .where(eq(lanes.webhookId, webhook.id));
      ctx.clock.advance(3000);
      await sweepLanes(ctx);
      const { owner, lane } = await claim();
      ctx.expectErrors(/^webhook was not deactivated yet$/);
      const db = Object.create(ctx.db, {
        transaction: { value: () => Promise.reject(new Error('no connection')) },
      }) as typeof ctx.db;
      await settleAttempts(
        { ...ctx, db },
        {
          owner,
          leaseMs: 30_000,
          attempts: attempted(lane, { becomes: { status: 'failed' }, says: 'fails' }),
          lanes: [{ ...lane, isReleased: true }],
          isLast: false,
        },
      );
      expect(await stateOf(webhook)).toMatchObject({ is_active: true, failure_count: 21 });
    });

    test('that is deleted during an attempt leaves no trace of it, and no error', async () => {
      const webhook = await addWebhook(ctx, actor);
      const hanging = Promise.withResolvers<number>();
      receivers.answer = () => hanging.promise;
      const worker = work();
      await publish(ctx, actor);
      await eventually(() => receivers.received.length).toBe(1);
      await deleteWebhook(ctx, actor, { webhook: String(webhook.id) });
      hanging.resolve(200);
      await worker.stop();
      expect(await attemptsOf(webhook)).toEqual([]);
      expect(await statusesOf(webhook)).toEqual(['pending']);
    });

    test('keeps its counters through a test, of which only the time is noted', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publishUntouched(ctx, actor);
      await ctx.db
        .update(deliveries)
        .set({ eventType: 'webhook.test' })
        .where(eq(deliveries.webhookId, webhook.id));
      receivers.answer = () => 410;
      work();
      ctx.clock.advance(3000);
      await sweepLanes(ctx);
      await eventually(() => statusesOf(webhook)).toEqual(['failed']);
      expect(await stateOf(webhook)).toMatchObject({
        is_active: true,
        failure_count: 0,
        failing_since: null,
        last_triggered_at: formatApiTime(ctx.clock.now()),
      });
    });

    test('is timed by its latest attempt, also when the clock has gone back since', async () => {
      const webhook = await addWebhook(ctx, actor);
      const timesOf = async () => {
        const { lastTriggeredAt, failingSince } = await laneOf(webhook);
        return { lastTriggeredAt, failingSince };
      };
      /** Fails a delivery that is due, whose attempt started some time ago. */
      async function fail(startedMsAgo: number): Promise<void> {
        await publish(ctx, actor);
        await ctx.laneTouches.idle();
        const { owner, lane } = await claim();
        const startedAt = new Date(ctx.clock.now().getTime() - startedMsAgo);
        await settleAttempts(ctx, {
          owner,
          leaseMs: 30_000,
          attempts: attempted(lane, { startedAt, becomes: { status: 'failed' }, says: 'fails' }),
          lanes: [{ ...lane, isReleased: true }],
          isLast: false,
        });
      }
      const began = ctx.clock.now();
      await fail(0);
      expect(await timesOf()).toEqual({ lastTriggeredAt: began, failingSince: began });
      // One that took long and ends late is not the latest.
      await fail(13_000);
      expect(await timesOf()).toEqual({ lastTriggeredAt: began, failingSince: began });

      ctx.clock.advance(-3_600_000);
      const after = ctx.clock.now();
      await fail(1000);
      expect(await timesOf()).toEqual({
        lastTriggeredAt: new Date(after.getTime() - 1000),
        failingSince: after,
      });
      // It started before the clock was set.
      await fail(-3_500_000);
      expect(await timesOf()).toEqual({ lastTriggeredAt: after, failingSince: after });
    });

    function mailsTo({ email }: PersonActor) {
      return ctx.mails.filter(({ to }) => to === email);
    }

    async function entriesOf(action: string) {
      return await ctx.db
        .select()
        .from(auditEntries)
        .where(and(eq(auditEntries.accountId, actor.accountId), eq(auditEntries.action, action)));
    }
  });
}
