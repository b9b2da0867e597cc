import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../db/open.ts';
import type { Worker } from '../../delivery/worker.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { LaneTouches } from '../../domain/lanes/lane-touches.ts';
import { TestApi } from '../api.ts';
import { createTestContext } from '../context.ts';
import type { TestContext } from '../context.ts';
import {
  ScriptedReceivers,
  addWebhook,
  eventually,
  publish,
  startTestWorker,
} from '../delivery/delivery-worker.ts';
import { logStatements } from '../databases/log-statements.ts';
import { isFullRun } from '../full-run.ts';

/** How many are delivered one by one, and how many at once. */
const [few, many] = isFullRun ? [20, 1000] : [8, 500];

/**
 * Statements that depend on time rather than events are not counted: polls, sweeps, renewals and
 * heartbeats.
 */
const untimed = { pollMs: 3_600_000, sweepMs: 3_600_000, leaseMs: 3_600_000, beatMs: null };

/** How many statements a delivery may cost, on either database. */
export function describeStatementEconomy(engine: OpenDatabase['engine']): void {
  let uncounted: TestContext;
  let ctx: TestContext;
  let statements: string[];
  let actor: PersonActor;
  let receivers: ScriptedReceivers;
  let workers: Worker[] = [];
  beforeAll(async () => {
    uncounted = await createTestContext({ engine });
    statements = [];
    const db = logStatements(uncounted.database, statements);
    const { clock, log } = uncounted;
    ctx = { ...uncounted, db, laneTouches: new LaneTouches({ db, clock, log }) };
    actor = await (await new TestApi(ctx).account()).member('owner');
    await addWebhook(uncounted, actor);
    receivers = new ScriptedReceivers(ctx);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
  });
  afterAll(async () => {
    await ctx.laneTouches.idle();
    await uncounted.dispose();
  });

  async function start(count: number): Promise<void> {
    workers = Array.from({ length: count }, () =>
      startTestWorker(ctx, { sender: receivers, pace: untimed }),
    );
    // All listen on one connection: what this subscription receives, they have received.
    let isHeard = false;
    ctx.notifier.subscribe('lanes', (news) => {
      isHeard ||= news === 'probe';
    });
    await eventually(async () => {
      await ctx.notifier.publish('lanes', 'probe');
      return isHeard;
    }).toBe(true);
    await quiet();
    statements.length = 0;
  }

  /** Until nothing more comes: the claims at the start, or one that finds nothing. */
  async function quiet(): Promise<void> {
    let last = -1;
    await eventually(() => {
      const isQuiet = statements.length === last;
      last = statements.length;
      return isQuiet;
    }).toBe(true);
  }

  async function settled(): Promise<void> {
    await eventually(async () => {
      const lanes = await uncounted.db.query.lanes.findMany();
      return lanes.every(({ owner, wakeAt }) => owner === null && wakeAt === null);
    }).toBe(true);
  }

  async function deliverOneByOne(events: number): Promise<number> {
    const before = receivers.received.length;
    for (let sent = 1; sent <= events; sent += 1) {
      await publish(ctx, actor);
      await eventually(() => receivers.received.length).toBe(before + sent);
      await settled();
      await quiet();
    }
    return statements.length / events;
  }

  describe(`the statements of a delivery on ${engine}`, { timeout: 60_000 }, () => {
    test('are four in a quiet hour: publish, touch, claim, settle', async () => {
      await start(1);
      expect(await deliverOneByOne(few)).toBeLessThanOrEqual(4);
    });

    test('are five with two workers, of which one claims in vain', async () => {
      await start(2);
      expect(await deliverOneByOne(few)).toBeLessThanOrEqual(5);
    });

    test('are one insertion, one touch and one claim for an event of a hundred webhooks', async () => {
      const account = await new TestApi(uncounted).account();
      const owner = await account.member('owner');
      for (let made = 1; made <= 100; made += 1) await addWebhook(uncounted, owner);
      await start(1);
      const before = receivers.received.length;
      await publish(ctx, owner);
      await eventually(() => receivers.received.length).toBe(before + 100);
      await settled();
      const count = (part: string) => statements.filter((each) => each.includes(part)).length;
      expect(count('insert into deliveries')).toBe(1);
      expect(count('untouched as materialized')).toBe(1);
      expect(count('candidates as materialized')).toBe(1);
      expect(count('with asked as')).toBe(0);
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

    test('are fewer than one for five events when a burst is drained', async () => {
      await start(1);
      const before = receivers.received.length;
      await publish(uncounted, actor, many);
      await eventually(() => receivers.received.length).toBe(before + many);
      await settled();
      expect(statements.length / many).toBeLessThan(0.2);
    });
  });
}
