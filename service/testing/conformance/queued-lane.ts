import { eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Pool } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import type { Db, OpenDatabase } from '../../db/open.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { claimOrWakeLanes } from '../../domain/lanes/claim-lanes.ts';
import { TestApi } from '../api.ts';
import { countLockWaits } from '../databases/count-lock-waits.ts';
import {
  addWebhook,
  eventually,
  publish,
  publishUnqueued,
  untimed,
} from '../delivery/delivery-worker.ts';
import { openDeliverySuite } from './delivery-suite.ts';

/** What happens to lanes that are queued for the worker of their process, on either database. */
export function describeQueuedLane(engine: OpenDatabase['engine']): void {
  describe(`a queued lane on ${engine}`, { timeout: 60_000 }, () => {
    const suite = openDeliverySuite(engine);
    const { ctx, actor, work, statusesOf, laneOf, claim, complete } = suite;

    if (engine === 'postgresql') {
      test('that another worker served after the snapshot of a claim is not claimed', async () => {
        const webhook = await addWebhook(ctx, actor);
        const webhookIds = await publishUnqueued(ctx, actor);
        const claimOf = async (db: Db) => {
          const owner = crypto.randomUUID();
          const terms = { owner, leaseMs: 30_000, maxDeliveries: 4, bytes: 32_768, webhookIds };
          return { owner, ...(await claimOrWakeLanes({ ...ctx, db }, terms)) };
        };
        // In an object, because the transaction would wait for a returned promise before it ends.
        const slow = await ctx.db.transaction(async (tx) => {
          await tx.execute(sql`select pg_advisory_xact_lock(${waitingPoint})`);
          const waiting = claimOf(waitingBeforeItLocks(ctx.db));
          await eventually(() => countLockWaits(ctx)).toBe(1);
          const { owner, lanes: claimed } = await claimOf(ctx.db);
          const [lane] = claimed;
          if (!lane) throw new Error('the lane was not free');
          await complete({ owner, lane });
          return { waiting };
        });
        expect(await slow.waiting).toMatchObject({ lanes: [], locked: [] });
        expect(await statusesOf(webhook)).toEqual(['delivered']);
        expect((await laneOf(webhook)).owner).toBeNull();
      });
    }

    test('that another worker holds is marked as dirty for that worker', async () => {
      const webhook = await addWebhook(ctx, actor);
      await publish(ctx, actor);
      await claim();
      work({ pace: untimed });
      await publish(ctx, actor);
      await eventually(async () => (await laneOf(webhook)).isDirty).toBe(true);
      expect(suite.receivers.received).toEqual([]);
    });

    test('that another worker took unnoticed is marked as dirty for that worker', async () => {
      const webhook = await addWebhook(ctx, actor);
      const respond = suite.receivers.hold();
      work({ pace: untimed });
      await publish(ctx, actor);
      await eventually(() => suite.receivers.received.length).toBe(1);
      const { lease } = await laneOf(webhook);
      const taken = { owner: crypto.randomUUID(), lease: lease + 1 };
      await ctx.db.update(lanes).set(taken).where(eq(lanes.webhookId, webhook.id));
      await publish(ctx, actor);
      await eventually(async () => (await laneOf(webhook)).isDirty).toBe(true);
      expect(suite.receivers.received).toHaveLength(1);
      respond(200);
    });

    test('that was lost while the receiver has its maximum of requests is marked as dirty once they end', async () => {
      const webhook = await addWebhook(ctx, actor);
      const respond = suite.receivers.hold();
      work({ pace: untimed });
      await publish(ctx, actor, 2);
      await eventually(() => suite.receivers.received.length).toBe(2);
      const { lease } = await laneOf(webhook);
      const taken = { owner: crypto.randomUUID(), lease: lease + 1 };
      await ctx.db.update(lanes).set(taken).where(eq(lanes.webhookId, webhook.id));
      await publish(ctx, actor);
      respond(200);
      await eventually(async () => (await laneOf(webhook)).isDirty).toBe(true);
      expect(suite.receivers.received).toHaveLength(2);
    });

    test('that is paused stays free when a delivery comes due in it', async () => {
      const webhook = await addWebhook(ctx, actor);
      await ctx.db.update(lanes).set({ isPaused: true });
      work({ pace: untimed });
      await publish(ctx, actor);
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toBeNull();
      expect(await laneOf(webhook)).toMatchObject({ owner: null, isPaused: true });
      expect(suite.receivers.received).toEqual([]);
    });

    test('is left to any worker while most sockets of this process are in use', async () => {
      const respond = suite.receivers.hold();
      await addWebhook(ctx, actor);
      work({ pace: { ...untimed, heartbeatMs: 1000 }, limits: { sockets: 3 } });
      await publish(ctx, actor, 2);
      await eventually(() => suite.receivers.received.length).toBe(2);
      const other = await (await new TestApi(ctx).account()).member('owner');
      const webhook = await addWebhook(ctx, other);
      const wake = vi.spyOn(ctx.laneNotifier, 'wake');
      await publish(ctx, other);
      expect(wake.mock.calls).toEqual([[[webhook.id]]]);
      wake.mockRestore();
      respond(200);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
    });

    test('is woken while there is no memory for more', async () => {
      const respond = suite.receivers.hold();
      const webhook = await addWebhook(ctx, actor);
      work({ pace: untimed, limits: { bodyBytes: 100 * 1024 } });
      // A take returns at least one delivery, regardless of its size, so these two exceed the
      // memory.
      const queued = await publishUnqueued(ctx, actor, 2);
      await ctx.db.update(events).set({ payload: 'x'.repeat(60_000) });
      ctx.laneNotifier.queue(queued);
      await eventually(() => suite.receivers.received.length).toBe(2);
      const other = await (await new TestApi(ctx).account()).member('owner');
      const ids: number[] = [];
      for (let made = 0; made < 3; made += 1) ids.push((await addWebhook(ctx, other)).id);
      const wake = vi.spyOn(ctx.laneNotifier, 'wake');
      await publish(ctx, other);
      await eventually(() => new Set(wake.mock.calls.flatMap(([woken]) => woken))).toEqual(
        new Set(ids),
      );
      wake.mockRestore();
      respond(200);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered', 'delivered']);
    });
  });
}

const waitingPoint = 7;

/** The same database, on which `claimOrWakeLanes` waits between its snapshot and its locks. */
function waitingBeforeItLocks(db: Db): Db {
  const { $client } = db as unknown as { $client: Pool };
  const execute = async (...[query]: Parameters<Db['execute']>) => {
    const { sql: text, params } = new PgDialect().sqlToQuery((query as SQL).getSQL());
    const point = 'any (array(select webhook_id from seen))';
    if (!text.includes(point)) throw new Error('the statement has changed');
    const wait = `(select pg_advisory_xact_lock_shared(${waitingPoint})::text) is not null`;
    return await $client.query(text.replace(point, `${point} and ${wait}`), params);
  };
  return Object.create(db, { execute: { value: execute } }) as Db;
}
