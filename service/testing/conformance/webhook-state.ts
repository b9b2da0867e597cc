import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import type { PersonActor } from '../../domain/actor.ts';
import type { Outgoing } from '../../delivery/sending/attempt.ts';
import { sweepLanes } from '../../domain/lanes/recover-lanes.ts';
import { testWebhook } from '../../domain/deliveries/test-webhook.ts';
import { deleteWebhook } from '../../domain/webhooks/delete-webhook.ts';
import { regenerateSecret } from '../../domain/webhooks/secret/regenerate-secret.ts';
import { updateWebhook } from '../../domain/webhooks/update-webhook.ts';
import {
  announceFailing,
  warnOfDeactivation,
} from '../../domain/webhooks/deactivation/deactivate-webhook.ts';
import {
  addWebhook,
  eventually,
  passTime,
  publish,
  publishUnqueued,
  untimed,
  withoutWorker,
} from '../delivery/delivery-worker.ts';
import { FailingDatabase, statementOf } from '../databases/failing-database.ts';
import { openDeliverySuite } from './delivery-suite.ts';

/** How deliveries and the state of a webhook affect each other, on either database. */
export function describeWebhookState(engine: OpenDatabase['engine']): void {
  describe(`a webhook on ${engine}`, { timeout: 60_000 }, () => {
    const suite = openDeliverySuite(engine);
    const {
      ctx,
      actor,
      work,
      deliveriesOf,
      statusesOf,
      attemptsOf,
      laneOf,
      isAsleep,
      stateOf,
      claim,
      complete,
    } = suite;

    const setActive = async (webhook: { id: number }, is_active: boolean) =>
      await updateWebhook(ctx, actor, { webhook: String(webhook.id), is_active });

    /** The holder of a lane renews its lease when it gets the notification of a change. */
    const untilNoticed = async (webhook: { id: number }, change: () => Promise<unknown>) => {
      const { wakeAt: leaseEnd } = await laneOf(webhook);
      ctx.clock.advance(1);
      await change();
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toEqual(leaseEnd);
    };

    test('that is paused gets nothing until it is resumed, and then its pending deliveries', async () => {
      const webhook = await addWebhook(ctx, actor);
      suite.receivers.respondWith = () => 500;
      work();
      await publish(ctx, actor);
      await eventually(() => stateOf(webhook)).toMatchObject({ failure_count: 1 });
      await setActive(webhook, false);
      await publish(ctx, actor);
      await passTime(ctx, hourMs);
      const other = await addWebhook(ctx, actor);
      await publish(ctx, actor);
      await eventually(() => attemptsOf(other)).toHaveLength(1);
      expect(await statusesOf(webhook)).toEqual(['pending']);
      expect(await attemptsOf(webhook)).toHaveLength(1);

      suite.receivers.respondWith = () => 200;
      expect(await setActive(webhook, true)).toMatchObject({
        failure_count: 0,
        failing_since: null,
      });
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
    });

    test('that is paused is sent the tests that someone requests, and nothing else', async () => {
      const webhook = await addWebhook(ctx, actor);
      suite.receivers.respondWith = () => 500;
      work();
      await publish(ctx, actor, 3);
      await eventually(() => stateOf(webhook)).toMatchObject({ failure_count: 3 });
      await setActive(webhook, false);
      await passTime(ctx, hourMs);
      const isClosed = async () => {
        const { owner, isPaused } = await laneOf(webhook);
        return isPaused && owner === null;
      };
      await eventually(isClosed).toBe(true);

      suite.receivers.respondWith = () => 200;
      for (const count of [1, 2]) {
        await testWebhook(ctx, actor, { webhook: String(webhook.id) });
        await eventually(async () => (await statusesOf(webhook)).slice(3)).toEqual(
          Array.from({ length: count }, () => 'delivered'),
        );
        await eventually(isClosed).toBe(true);
      }
      expect((await statusesOf(webhook)).slice(0, 3)).toEqual(['pending', 'pending', 'pending']);
      expect(await attemptsOf(webhook)).toHaveLength(5);

      await setActive(webhook, true);
      await eventually(() => isAsleep(webhook)).toBe(true);
      expect(await attemptsOf(webhook)).toHaveLength(8);
    });

    test('that is resumed while its test is sent is sent everything afterwards', async () => {
      const webhook = await addWebhook(ctx, actor);
      await setActive(webhook, false);
      const respond = suite.receivers.hold();
      work();
      await testWebhook(ctx, actor, { webhook: String(webhook.id) });
      await eventually(() => suite.receivers.received.length).toBe(1);
      await setActive(webhook, true);
      await publish(ctx, actor);
      suite.receivers.respondWith = () => 200;
      respond(200);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered', 'delivered']);
      expect(await laneOf(webhook)).toMatchObject({ isPaused: false, isForTests: false });
    });

    test('that is paused during a backlog gets only the attempts that have already begun', async () => {
      const webhook = await addWebhook(ctx, actor);
      const respond = suite.receivers.hold();
      work();
      await publish(ctx, actor, 30);
      await eventually(() => suite.receivers.received.length).toBe(2);
      await untilNoticed(webhook, () => setActive(webhook, false));
      respond(200);
      await eventually(async () => (await laneOf(webhook)).owner).toBeNull();
      expect(suite.receivers.received).toHaveLength(2);
      await setActive(webhook, true);
      await eventually(() => isAsleep(webhook)).toBe(true);
      expect(suite.receivers.received).toHaveLength(30);
    });

    test('that is resumed during an attempt is sent what waits after that attempt, although events keep coming', async () => {
      const webhook = await addWebhook(ctx, actor);
      const respond = suite.receivers.hold();
      const database = new FailingDatabase(ctx.db);
      work({ ctx: { ...ctx, db: database.db }, pace: untimed });
      await publish(ctx, actor);
      await eventually(() => suite.receivers.received.length).toBe(1);
      await untilNoticed(webhook, () => setActive(webhook, false));
      await setActive(webhook, true);
      await eventually(async () => (await laneOf(webhook)).isDirty).toBe(false);
      suite.receivers.respondWith = () => 200;
      // Each completion finds the lane changed by another event.
      let published = 1;
      database.before = async (statement) => {
        if (!statementOf.complete.test(statement) || published === 10) return;
        published += 1;
        await publish(withoutWorker(ctx), actor);
      };
      respond(200);
      await eventually(() => suite.receivers.received.length).toBeGreaterThan(1);
      expect(published).toBeLessThan(5);
      await eventually(() => isAsleep(webhook)).toBe(true);
    });

    test.each([
      [
        'that gets another URL is called only there',
        async (id: string) =>
          await updateWebhook(ctx, actor, {
            webhook: id,
            url: 'https://new.example.com/',
          }),
        ({ url }: Outgoing) => url,
      ],
      [
        'that gets another URL while it is paused for a moment is called only there',
        async (id: string) => {
          const pause = { is_active: false, url: 'https://new.example.com/' };
          await updateWebhook(ctx, actor, { webhook: id, ...pause });
          await updateWebhook(ctx, actor, { webhook: id, is_active: true });
        },
        ({ url }: Outgoing) => url,
      ],
      [
        'whose old secret ends is sent nothing that is signed with it',
        async (id: string) =>
          await regenerateSecret(ctx, actor, { webhook: id, grace_period_seconds: 0 }),
        ({ secrets }: Outgoing) => secrets[0]?.export().toString('hex'),
      ],
    ])('%s, except for attempts that have begun', async (_what, change, valueOf) => {
      const webhook = await addWebhook(ctx, actor);
      const respond = suite.receivers.hold();
      work({ pace: untimed });
      await publish(ctx, actor, 30);
      await eventually(() => suite.receivers.received.length).toBe(2);
      await untilNoticed(webhook, () => change(String(webhook.id)));
      respond(200);
      await eventually(() => isAsleep(webhook)).toBe(true);
      const values = suite.receivers.received.map(valueOf);
      expect(values).toHaveLength(30);
      expect(values.slice(2)).toEqual(Array.from({ length: 28 }, () => values.at(-1)));
      expect(values.slice(0, 2)).not.toContain(values.at(-1));
    });

    test('that is deleted gets only the attempts that have begun', async () => {
      const webhook = await addWebhook(ctx, actor, { url: 'https://old.example.com/' });
      const other = await addWebhook(ctx, actor);
      const respond = suite.receivers.hold();
      work();
      await publish(ctx, actor, 30);
      const toDeleted = () =>
        suite.receivers.received.filter(({ url }) => url === 'https://old.example.com/');
      await eventually(() => toDeleted().length).toBe(2);
      await deleteWebhook(ctx, actor, { webhook: String(webhook.id) });
      // Notifications arrive in order: the one about this event comes after the one about the
      // deletion.
      await publish(withoutWorker(ctx), actor);
      await eventually(async () => (await laneOf(other)).isDirty).toBe(false);
      respond(200);
      await eventually(() => isAsleep(other)).toBe(true);
      expect(toDeleted()).toHaveLength(2);
    });

    test('is sent an event that happened before its pause but was written during it, once it is resumed', async () => {
      const webhook = await addWebhook(ctx, actor);
      const slowCall = callThatBeganNow();
      ctx.clock.advance(1);
      await setActive(webhook, false);
      await publish(slowCall, actor);
      await publish(ctx, actor);
      work();
      await setActive(webhook, true);
      await eventually(() => isAsleep(webhook)).toBe(true);
      expect(await statusesOf(webhook)).toEqual(['delivered']);
    });

    test('that is being set up is sent nothing that happened before it was created', async () => {
      const slowCall = callThatBeganNow();
      ctx.clock.advance(1);
      const webhook = await addWebhook(ctx, actor, { is_active: false });
      await publish(slowCall, actor);
      expect(await statusesOf(webhook)).toEqual([]);
    });

    /**
     * The context of a call that took its time from the clock now, and then waits for the database.
     */
    function callThatBeganNow() {
      const began = ctx.clock.now();
      return { ...ctx, clock: { now: () => began } };
    }

    test('whose receiver is gone is deactivated immediately, with an audit entry by the service', async () => {
      const webhook = await addWebhook(ctx, actor);
      suite.receivers.respondWith = () => 410;
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

    test.each([true, false])(
      'that got another URL while the receiver at the old one responded with 410 is sent the event there (active: %s)',
      async (isActive) => {
        const webhook = await addWebhook(ctx, actor);
        const respond = suite.receivers.hold();
        work({ pace: untimed });
        await publish(ctx, actor);
        await eventually(() => suite.receivers.received.length).toBe(1);
        const url = 'https://receiver.example.com/new';
        const change = { url, ...(!isActive && { is_active: false }) };
        await updateWebhook(ctx, actor, { webhook: String(webhook.id), ...change });
        suite.receivers.respondWith = () => 200;
        respond(410);
        await eventually(() => attemptsOf(webhook)).not.toEqual([]);
        if (!isActive) {
          expect(await stateOf(webhook)).toMatchObject({ status: 'paused', failure_count: 1 });
          await setActive(webhook, true);
        }
        await eventually(() => isAsleep(webhook)).toBe(true);
        expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'delivered', tries: 2 }]);
        expect(suite.receivers.received.at(-1)).toMatchObject({ url });
        expect(await stateOf(webhook)).toMatchObject({ status: 'active' });
        expect(await entriesOf('webhook.deactivated')).toEqual([]);
      },
    );

    test('that failed for five days is deactivated by the next failure, after two warnings and with an event', async () => {
      const webhook = await addWebhook(ctx, actor);
      suite.receivers.respondWith = () => 500;
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
      await announceFailing(ctx);
      await ctx.db.delete(deliveries);

      ctx.clock.advance(2.5 * dayMs - 1);
      expect(await warnings()).toBe(0);
      ctx.clock.advance(1);
      expect([await warnings(), await warnings()]).toEqual([1, 1]);
      ctx.clock.advance(1.5 * dayMs);
      expect([await warnings(), await warnings()]).toEqual([2, 2]);
      await passTime(ctx, dayMs);
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
        'The webhook "Receiver" will be deactivated',
        'The webhook "Receiver" will be deactivated',
        'The webhook "Receiver" was deactivated',
      ]);
      const deactivated = await ctx.db
        .select({ payload: events.payload })
        .from(events)
        .where(and(eq(events.accountId, actor.accountId), eq(events.type, 'webhook.deactivated')));
      expect(deactivated.map(({ payload }) => JSON.parse(payload) as unknown)).toMatchObject([
        { data: { webhook: { id: webhook.id }, reason: 'failing' } },
      ]);
    });

    test('whose deactivation fails at first does not count its failure twice', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publishUnqueued(ctx, actor);
      await ctx.db
        .update(lanes)
        .set({
          failureCount: 20,
          failingSince: new Date(ctx.clock.now().getTime() - 6 * dayMs),
        })
        .where(eq(lanes.webhookId, webhook.id));
      ctx.clock.advance(3000);
      await sweepLanes(ctx);
      const claimed = await claim();
      ctx.expectErrors(/^webhook was not deactivated yet$/);
      const db = Object.create(ctx.db, {
        transaction: { value: () => Promise.reject(new Error('no connection')) },
      }) as typeof ctx.db;
      await complete(claimed, { becomes: { status: 'failed' }, says: 'fails' }, { ...ctx, db });
      expect(await stateOf(webhook)).toMatchObject({ is_active: true, failure_count: 21 });
    });

    test('that is deleted during an attempt leaves no trace of it, and no error', async () => {
      const webhook = await addWebhook(ctx, actor);
      const respond = suite.receivers.hold();
      const worker = work();
      await publish(ctx, actor);
      await eventually(() => suite.receivers.received.length).toBe(1);
      await deleteWebhook(ctx, actor, { webhook: String(webhook.id) });
      respond(200);
      await worker.stop();
      expect(await attemptsOf(webhook)).toEqual([]);
      expect(await statusesOf(webhook)).toEqual(['pending']);
    });

    test('keeps its counters after a test event, of which only the time is recorded', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publishUnqueued(ctx, actor);
      await ctx.db
        .update(deliveries)
        .set({ eventType: 'webhook.test' })
        .where(eq(deliveries.webhookId, webhook.id));
      suite.receivers.respondWith = () => 410;
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

    test('records the time of its latest attempt, even if the clock was set back since', async () => {
      const webhook = await addWebhook(ctx, actor);
      const timesOf = async () => {
        const { lastTriggeredAt, failingSince } = await laneOf(webhook);
        return { lastTriggeredAt, failingSince };
      };
      /** Fails a delivery that is due, whose attempt started this long ago. */
      async function fail(startedMsAgo: number): Promise<void> {
        await publish(ctx, actor);
        await ctx.laneNotifier.idle();
        const claimed = await claim();
        const startedAt = new Date(ctx.clock.now().getTime() - startedMsAgo);
        await complete(claimed, { startedAt, becomes: { status: 'failed' }, says: 'fails' });
      }
      const began = ctx.clock.now();
      await fail(0);
      expect(await timesOf()).toEqual({ lastTriggeredAt: began, failingSince: began });
      // An attempt that took long and ends late is not the latest one.
      await fail(13_000);
      expect(await timesOf()).toEqual({ lastTriggeredAt: began, failingSince: began });

      ctx.clock.advance(-hourMs);
      const after = ctx.clock.now();
      await fail(1000);
      expect(await timesOf()).toEqual({
        lastTriggeredAt: new Date(after.getTime() - 1000),
        failingSince: after,
      });
      // This attempt started before the clock was set back.
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
