import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Worker } from '../../delivery/worker.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { LaneNotifier } from '../../domain/lanes/lane-notifier.ts';
import { TestApi } from '../api.ts';
import type { TestContext } from '../context.ts';
import {
  ScriptedReceivers,
  addWebhook,
  eventually,
  publish,
  startTestWorker,
  untimed,
  withoutWorker,
} from '../delivery/delivery-worker.ts';
import { FailingDatabase, statementOf } from '../databases/failing-database.ts';
import { logStatements } from '../databases/log-statements.ts';
import { useContext } from '../use-api.ts';

/** How many events are delivered one by one, and how many at a time. */
const [few, many] = [8, 500];

/**
 * Statements that depend on time rather than on events are not counted: polls, sweeps, renewals and
 * heartbeats.
 */
const uncountedPace = { ...untimed, heartbeatMs: null };

/** How many statements a delivery may take, on either database. */
export function describeStatementCounts(engine: OpenDatabase['engine']): void {
  const uncounted = useContext({ engine });
  let ctx: TestContext;
  let statements: string[];
  let database: FailingDatabase;
  let actor: PersonActor;
  /** The owner of an account with a hundred webhooks. */
  let ownerOfMany: PersonActor;
  let receivers: ScriptedReceivers;
  let workers: Worker[] = [];
  beforeAll(async () => {
    statements = [];
    database = new FailingDatabase(logStatements(uncounted.database, statements));
    const { db } = database;
    const { clock, log } = uncounted;
    ctx = { ...uncounted, db, laneNotifier: new LaneNotifier({ db, clock, log }) };
    actor = await (await new TestApi(ctx).account()).member('owner');
    await addWebhook(uncounted, actor);
    ownerOfMany = await (await new TestApi(ctx).account()).member('owner');
    for (let made = 1; made <= 100; made += 1) await addWebhook(uncounted, ownerOfMany);
    receivers = new ScriptedReceivers(ctx);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
  });
  afterAll(() => ctx.laneNotifier.idle());

  async function start(count: number): Promise<void> {
    workers = Array.from({ length: count }, () =>
      startTestWorker(ctx, { sender: receivers, pace: uncountedPace }),
    );
    // All workers listen on one connection: they have received everything that this subscription
    // received.
    let isHeard = false;
    ctx.notifier.subscribe('lanes', (message) => {
      isHeard ||= message === 'probe';
    });
    await eventually(async () => {
      await ctx.notifier.publish('lanes', 'probe');
      return isHeard;
    }).toBe(true);
    await quiet();
    statements.length = 0;
  }

  /** Waits until no more statements come: the claims at the start, or one that finds nothing. */
  async function quiet(): Promise<void> {
    let last = -1;
    await eventually(() => {
      const isQuiet = statements.length === last;
      last = statements.length;
      return isQuiet;
    }).toBe(true);
  }

  async function completed(): Promise<void> {
    await eventually(async () => {
      const lanes = await uncounted.db.query.lanes.findMany();
      const all = await uncounted.db.query.deliveries.findMany();
      return (
        all.every(({ status }) => status !== 'pending') &&
        lanes.every(({ owner, wakeAt }) => owner === null && wakeAt === null)
      );
    }).toBe(true);
  }

  async function deliverOneByOne(events: number, publisher: Context = ctx): Promise<number> {
    const before = receivers.received.length;
    for (let sent = 1; sent <= events; sent += 1) {
      await publish(publisher, actor);
      await eventually(() => receivers.received.length).toBe(before + sent);
      await completed();
      await quiet();
    }
    return statements.length / events;
  }

  describe(`the statements of a delivery on ${engine}`, { timeout: 60_000 }, () => {
    test('are three in a quiet hour: publish, claim, complete', async () => {
      await start(1);
      expect(await deliverOneByOne(few)).toBeLessThanOrEqual(3);
    });

    test('are no more with two workers, of which only the one in the publisher’s process claims', async () => {
      await start(2);
      expect(await deliverOneByOne(few)).toBeLessThanOrEqual(3);
    });

    test('are four if another process published: publish, wake, claim, complete', async () => {
      await start(1);
      expect(await deliverOneByOne(few, withoutWorker(ctx))).toBeLessThanOrEqual(4);
    });

    test('are five if another process published and there are two workers, one of which claims nothing', async () => {
      await start(2);
      expect(await deliverOneByOne(few, withoutWorker(ctx))).toBeLessThanOrEqual(5);
    });

    test('are two until it is sent, if the worker is already busy with the webhook: publish, take', async () => {
      const account = await new TestApi(uncounted).account();
      const owner = await account.member('owner');
      await addWebhook(uncounted, owner);
      const respond = receivers.hold();
      await start(1);
      const before = receivers.received.length;
      await publish(ctx, owner);
      await eventually(() => receivers.received.length).toBe(before + 1);
      await quiet();
      statements.length = 0;
      await publish(ctx, owner);
      await eventually(() => receivers.received.length).toBe(before + 2);
      await quiet();
      expect(statements).toHaveLength(2);
      receivers.respondWith = () => 200;
      respond(200);
      await completed();
    });

    test('are one between the notification and the request, if a worker that is busy with the webhook is notified: take', async () => {
      const account = await new TestApi(uncounted).account();
      const owner = await account.member('owner');
      await addWebhook(uncounted, owner);
      const respond = receivers.hold();
      await start(1);
      const before = receivers.received.length;
      await publish(ctx, owner);
      await eventually(() => receivers.received.length).toBe(before + 1);
      await quiet();
      statements.length = 0;
      // No completion has a result until the request has been sent.
      const completion = database.holdBackOnce(statementOf.complete);
      await publish(withoutWorker(uncounted), owner);
      await eventually(() => receivers.received.length).toBe(before + 2);
      expect(statements.filter((each) => /with asked as/.test(each))).toHaveLength(1);
      completion.letThrough();
      receivers.respondWith = () => 200;
      respond(200);
      await completed();
    });

    describe.each([
      { publisher: 'the process of the worker', isApart: false, wakes: 0, notifiedClaims: 0 },
      { publisher: 'another process', isApart: true, wakes: 1, notifiedClaims: 1 },
    ])('for an event of a hundred webhooks that $publisher published', (about) => {
      test('are one insert and one claim', async () => {
        await start(1);
        const before = receivers.received.length;
        await publish(about.isApart ? withoutWorker(ctx) : ctx, ownerOfMany);
        await eventually(() => receivers.received.length).toBe(before + 100);
        await completed();
        const count = (pattern: RegExp) => statements.filter((each) => pattern.test(each)).length;
        expect(count(/insert into deliveries/)).toBe(1);
        expect(count(statementOf.wake)).toBe(about.wakes);
        expect(count(statementOf.claim)).toBe(about.notifiedClaims);
        expect(count(statementOf.claimOrWake)).toBe(1 - about.notifiedClaims);
        expect(count(/with asked as/)).toBe(0);
      });
    });

    test('do not change the settings of a connection: later commits on it wait for the disk', async () => {
      await start(1);
      await deliverOneByOne(few);
      const shown = await Promise.all(
        Array.from({ length: 20 }, () => uncounted.db.execute(sql`show synchronous_commit`)),
      );
      const settings = new Set(shown.map(({ rows }) => rows[0]?.['synchronous_commit']));
      expect([...settings]).toEqual(['on']);
    });

    test('are fewer than one for five events when a burst is delivered', async () => {
      await start(1);
      const before = receivers.received.length;
      await publish(uncounted, actor, many);
      await eventually(() => receivers.received.length).toBe(before + many);
      await completed();
      expect(statements.length / many).toBeLessThan(0.2);
    });
  });
}
