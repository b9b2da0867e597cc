import { eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Pool } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import type { Db, OpenDatabase } from '../../db/open.ts';
import { events } from '../../db/schema/events.ts';
import { lanes } from '../../db/schema/lanes.ts';
import { claimOrTouchLanes } from '../../domain/lanes/claim-or-touch-lanes.ts';
import { settleAttempts } from '../../domain/lanes/settle-attempts.ts';
import type { SettledAttempt } from '../../domain/lanes/settled-attempt.ts';
import { sweepLanes } from '../../domain/lanes/sweep-lanes.ts';
import {
  addWebhook,
  eventually,
  passTime,
  publish,
  publishUntouched,
  withoutWorker,
} from '../delivery/delivery-worker.ts';
import { TestApi } from '../api.ts';
import { openDeliverySuite } from './delivery-suite.ts';

/** The guarantees about lanes and their leases, on either database. */
export function describeLane(engine: OpenDatabase['engine']): void {
  describe(`a lost lease on ${engine}`, { timeout: 60_000 }, () => {
    const suite = openDeliverySuite(engine);
    const { work, deliveriesOf, statusesOf, attemptsOf, laneOf, claim, attempted } = suite;

    test('makes the late result a mere entry in the log', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      await publishUntouched(suite.ctx, suite.actor);
      suite.ctx.clock.advance(5000);
      await sweepLanes(suite.ctx);
      const late = await claim();
      suite.ctx.clock.advance(30_000);
      const holder = await claim();
      expect(holder.lane.lease).toBe(late.lane.lease + 1);

      const settle = async ({ owner, lane }: typeof late, change: Partial<SettledAttempt> = {}) =>
        await settleAttempts(suite.ctx, {
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

    test('that a crash of the server lost is claimed again under its number, and the late result of the first holder changes nothing', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      await publish(suite.ctx, suite.actor);
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toBeNull();
      const unclaimed = await laneOf(webhook);
      const lost = await claim();
      await suite.ctx.db.update(lanes).set(unclaimed).where(eq(lanes.webhookId, webhook.id));
      const holder = await claim();
      expect(holder.lane.lease).toBe(lost.lane.lease);

      const settle = async ({ owner, lane }: typeof lost) =>
        await settleAttempts(suite.ctx, {
          owner,
          leaseMs: 30_000,
          attempts: attempted(lane),
          lanes: [{ ...lane, isReleased: true }],
          isLast: false,
        });
      expect(await settle(lost)).toEqual([]);
      expect(await statusesOf(webhook)).toEqual(['pending']);
      expect(await settle(holder)).toMatchObject([{ isReleased: true, wakeAt: null }]);
      expect(await statusesOf(webhook)).toEqual(['delivered']);
    });

    test('is claimed again once it has run out, by whoever asks', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      await publish(suite.ctx, suite.actor);
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toBeNull();
      await claim();
      work();
      await passTime(suite.ctx, 29_000);
      await suite.ctx.database.ping();
      expect(suite.receivers.received).toEqual([]);
      await passTime(suite.ctx, 1000);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
    });
  });

  describe(`a lane on ${engine}`, { timeout: 60_000 }, () => {
    const suite = openDeliverySuite(engine);
    /** Nothing is found by looking from time to time. */
    const untimed = { pollMs: 3_600_000, sweepMs: 3_600_000, leaseMs: 3_600_000 };
    const { work, statusesOf, laneOf, isAsleep, claim, attempted } = suite;

    test('that came due while it was settled is due when it is released', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      await publish(suite.ctx, suite.actor);
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toBeNull();
      const { owner, lane } = await claim();
      await publish(suite.ctx, suite.actor);
      await eventually(async () => (await laneOf(webhook)).isDirty).toBe(true);
      const release = {
        owner,
        leaseMs: 30_000,
        attempts: attempted(lane),
        lanes: [{ ...lane, isReleased: true }],
      };
      expect(await settleAttempts(suite.ctx, { ...release, isLast: false })).toMatchObject([
        { isReleased: false, wasDirty: true },
      ]);
      expect(
        await settleAttempts(suite.ctx, { ...release, attempts: [], isLast: true }),
      ).toMatchObject([{ isReleased: true, wakeAt: suite.ctx.clock.now() }]);
    });

    if (engine === 'postgresql') {
      test('that is locked when it is due is claimed soon after', async () => {
        const webhook = await addWebhook(suite.ctx, suite.actor);
        await publish(suite.ctx, suite.actor);
        await suite.ctx.db.transaction(async (tx) => {
          await tx.select().from(lanes).where(eq(lanes.webhookId, webhook.id)).for('update');
          const vainClaims = countVainClaims(suite.ctx.db);
          work({ pace: untimed });
          // The lane stays locked, as by a touch on a slow disk, until a claim has found it so.
          await expect.poll(() => vainClaims.count).toBeGreaterThan(0);
          vainClaims.stop();
          expect(suite.receivers.received).toEqual([]);
        });
        await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
      });
    }

    if (engine === 'postgresql') {
      test('that another worker served since a claim began is not served again by what was read then', async () => {
        const { ctx } = suite;
        const webhook = await addWebhook(ctx, suite.actor);
        const webhookIds = await publishUntouched(ctx, suite.actor);
        const claimOf = async (db: Db) => {
          const owner = crypto.randomUUID();
          const terms = { owner, leaseMs: 30_000, room: 4, bytes: 32_768, webhookIds };
          return { owner, ...(await claimOrTouchLanes({ ...ctx, db }, terms)) };
        };
        // In an object: a promise would be waited for before the transaction ends.
        const slow = await ctx.db.transaction(async (tx) => {
          await tx.execute(sql`select pg_advisory_xact_lock(${waitingPoint})`);
          const waiting = claimOf(waitingBeforeItLocks(ctx.db));
          await eventually(async () => {
            const { rows } = await ctx.db.execute(sql`
              select from pg_locks where locktype = 'advisory' and not granted`);
            return rows.length;
          }).toBe(1);
          const { owner, claimed } = await claimOf(ctx.db);
          const [lane] = claimed;
          if (!lane) throw new Error('the lane was not free');
          await settleAttempts(ctx, {
            owner,
            leaseMs: 30_000,
            attempts: attempted(lane),
            lanes: [{ ...lane, isReleased: true }],
            isLast: false,
          });
          return { waiting };
        });
        expect(await slow.waiting).toMatchObject({ claimed: [], locked: [] });
        expect(await statusesOf(webhook)).toEqual(['delivered']);
        expect((await laneOf(webhook)).owner).toBeNull();
      });
    }

    test('that another worker holds is marked for that one', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      await publish(suite.ctx, suite.actor);
      await claim();
      work({ pace: untimed });
      await publish(suite.ctx, suite.actor);
      await eventually(async () => (await laneOf(webhook)).isDirty).toBe(true);
      expect(suite.receivers.received).toEqual([]);
    });

    test('that was lost to another worker unnoticed is marked for that one', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      const hanging = Promise.withResolvers<number>();
      suite.receivers.answer = () => hanging.promise;
      work({ pace: untimed });
      await publish(suite.ctx, suite.actor);
      await eventually(() => suite.receivers.received.length).toBe(1);
      const { lease } = await laneOf(webhook);
      const taken = { owner: crypto.randomUUID(), lease: lease + 1 };
      await suite.ctx.db.update(lanes).set(taken).where(eq(lanes.webhookId, webhook.id));
      await publish(suite.ctx, suite.actor);
      await eventually(async () => (await laneOf(webhook)).isDirty).toBe(true);
      expect(suite.receivers.received).toHaveLength(1);
      hanging.resolve(200);
    });

    test('that was lost while the receiver has as many requests as it may is marked once they end', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      const hanging = Promise.withResolvers<number>();
      suite.receivers.answer = () => hanging.promise;
      work({ pace: untimed });
      await publish(suite.ctx, suite.actor, 2);
      await eventually(() => suite.receivers.received.length).toBe(2);
      const { lease } = await laneOf(webhook);
      const taken = { owner: crypto.randomUUID(), lease: lease + 1 };
      await suite.ctx.db.update(lanes).set(taken).where(eq(lanes.webhookId, webhook.id));
      await publish(suite.ctx, suite.actor);
      hanging.resolve(200);
      await eventually(async () => (await laneOf(webhook)).isDirty).toBe(true);
      expect(suite.receivers.received).toHaveLength(2);
    });

    test('that is paused stays free when something comes due in it', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      await suite.ctx.db.update(lanes).set({ isPaused: true });
      work({ pace: untimed });
      await publish(suite.ctx, suite.actor);
      await eventually(async () => (await laneOf(webhook)).wakeAt).not.toBeNull();
      expect(await laneOf(webhook)).toMatchObject({ owner: null, isPaused: true });
      expect(suite.receivers.received).toEqual([]);
    });

    test('is left for any worker to claim while the sockets of this process are mostly in use', async () => {
      const hanging = Promise.withResolvers<number>();
      suite.receivers.answer = () => hanging.promise;
      await addWebhook(suite.ctx, suite.actor);
      work({ pace: { ...untimed, beatMs: 1000 }, limits: { sockets: 3 } });
      await publish(suite.ctx, suite.actor, 2);
      await eventually(() => suite.receivers.received.length).toBe(2);
      const other = await (await new TestApi(suite.ctx).account()).member('owner');
      const webhook = await addWebhook(suite.ctx, other);
      const touch = vi.spyOn(suite.ctx.laneTouches, 'touch');
      await publish(suite.ctx, other);
      expect(touch.mock.calls).toEqual([[[webhook.id]]]);
      touch.mockRestore();
      hanging.resolve(200);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered']);
    });

    test('is left to be touched while there is no memory for more', async () => {
      const { ctx } = suite;
      const hanging = Promise.withResolvers<number>();
      suite.receivers.answer = () => hanging.promise;
      const webhook = await addWebhook(ctx, suite.actor);
      work({ pace: untimed, limits: { bodyBytes: 100 * 1024 } });
      // A take brings at least one delivery, whatever its size: these two need more than there is.
      const queued = await publishUntouched(ctx, suite.actor, 2);
      await ctx.db.update(events).set({ payload: 'x'.repeat(60_000) });
      ctx.laneTouches.offer(queued);
      await eventually(() => suite.receivers.received.length).toBe(2);
      const other = await (await new TestApi(ctx).account()).member('owner');
      const ids: number[] = [];
      for (let made = 0; made < 3; made += 1) ids.push((await addWebhook(ctx, other)).id);
      const touch = vi.spyOn(ctx.laneTouches, 'touch');
      await publish(ctx, other);
      await eventually(() => new Set(touch.mock.calls.flatMap(([touched]) => touched))).toEqual(
        new Set(ids),
      );
      touch.mockRestore();
      hanging.resolve(200);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered', 'delivered']);
    });

    test('that nobody touched is found by the sweep, which counts it', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      const worker = work({ pace: { sweepMs: 20 } });
      await publishUntouched(suite.ctx, suite.actor, 3);
      suite.ctx.clock.advance(3000);
      await eventually(() => isAsleep(webhook)).toBe(true);
      await eventually(() => statusesOf(webhook)).toEqual(['delivered', 'delivered', 'delivered']);
      expect(worker.repaired()).toBe(3);
    });

    test('gives the sweep nothing to do otherwise', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      const worker = work({ pace: { sweepMs: 5 } });
      suite.receivers.answer = () => (suite.receivers.received.length % 3 === 0 ? 500 : 200);
      for (let round = 0; round < 20; round += 1) {
        // Touched before the clock moves: what was only offered would look forgotten then.
        await publish(withoutWorker(suite.ctx), suite.actor, 5);
        await eventually(() => suite.receivers.received.length).toBeGreaterThan(round * 5);
        await passTime(suite.ctx, 5000);
      }
      await eventually(async () => {
        await passTime(suite.ctx, 5000);
        return (await statusesOf(webhook)).includes('pending');
      }).toBe(false);
      expect(worker.repaired()).toBe(0);
    });

    test('that a worker gives back when it stops is taken by another at once', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      const hanging = Promise.withResolvers<number>();
      suite.receivers.answer = () => hanging.promise;
      const beats = { ...untimed, beatMs: 1000 };
      const worker = work({ pace: beats });
      await publish(suite.ctx, suite.actor, 3);
      await eventually(() => suite.receivers.received.length).toBe(2);
      work({ pace: beats });
      const stopped = worker.stop();
      hanging.resolve(200);
      await stopped;
      await eventually(() => statusesOf(webhook)).toEqual(['delivered', 'delivered', 'delivered']);
    });

    test('is given back by a worker that stops, which first settles what is under way', async () => {
      const webhook = await addWebhook(suite.ctx, suite.actor);
      const hanging = Promise.withResolvers<number>();
      suite.receivers.answer = () => hanging.promise;
      const worker = work();
      await publish(suite.ctx, suite.actor, 20);
      await eventually(() => suite.receivers.received.length).toBe(2);
      const stopped = worker.stop();
      hanging.resolve(200);
      await stopped;
      const statuses = await statusesOf(webhook);
      expect(statuses.filter((status) => status === 'delivered')).toHaveLength(2);
      expect(suite.receivers.received).toHaveLength(2);
      expect(await laneOf(webhook)).toMatchObject({ owner: null, wakeAt: suite.ctx.clock.now() });
      work();
      await eventually(() => isAsleep(webhook)).toBe(true);
      expect(suite.receivers.received).toHaveLength(20);
    });
  });
}

const waitingPoint = 7;

/** The same database, on which `claimOrTouchLanes` waits between its snapshot and its locks. */
function waitingBeforeItLocks(db: Db): Db {
  const { $client } = db as unknown as { $client: Pool };
  const execute = async (...[query]: Parameters<Db['execute']>) => {
    const { sql: text, params } = new PgDialect().sqlToQuery((query as SQL).getSQL());
    const place = 'any (array(select webhook_id from seen))';
    if (!text.includes(place)) throw new Error('the statement has changed');
    const wait = `(select pg_advisory_xact_lock_shared(${waitingPoint})::text) is not null`;
    return await $client.query(text.replace(place, `${place} and ${wait}`), params);
  };
  return Object.create(db, { execute: { value: execute } }) as Db;
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
