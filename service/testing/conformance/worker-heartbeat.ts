import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { attempts, deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { lanes, workers } from '../../db/schema/webhooks/lanes.ts';
import type { Worker } from '../../delivery/worker.ts';
import type { WorkerPace } from '../../delivery/worker-pace.ts';
import { claimLanes } from '../../domain/lanes/claim-lanes.ts';
import { freeLeasesOfSilentWorkers } from '../../domain/lanes/recover-lanes.ts';
import { completeAttempts } from '../../domain/lanes/complete-attempts.ts';
import { recordHeartbeat } from '../../domain/workers/record-heartbeat.ts';
import {
  ScriptedReceivers,
  addWebhook,
  attemptsOn,
  eventually,
  passTime,
  publish,
  startTestWorker,
} from '../delivery/delivery-worker.ts';
import { useApi } from '../use-api.ts';

const leaseMs = 30_000;
const deadAfterMs = 60_000;
const quick = { heartbeatMs: 20, deadAfterMs: 300 };

/**
 * How workers notice that another one died, on either database. The clock of the context stands
 * still, so that no lease expires; heartbeats use the database's clock.
 */
export function describeWorkerHeartbeat(engine: OpenDatabase['engine']): void {
  const { ctx, owner: actor } = useApi({ engine, accountFor: 'test' });
  let webhook: { id: number };
  let receivers: ScriptedReceivers;
  let started: Worker[] = [];
  beforeEach(async () => {
    webhook = await addWebhook(ctx, actor);
    receivers = new ScriptedReceivers(ctx);
  });
  afterEach(async () => {
    await Promise.all(started.map((worker) => worker.stop()));
    started = [];
    await ctx.db.delete(deliveries);
    await ctx.db.delete(workers);
    await ctx.db.update(lanes).set({ wakeAt: null, owner: null, isDirty: false });
  });

  function work(pace: Partial<WorkerPace> = {}): Worker {
    const worker = startTestWorker(ctx, { sender: receivers, pace: { ...quick, ...pace } });
    started.push(worker);
    return worker;
  }

  /** A worker that claimed the webhook's lane and whose last heartbeat was `silentMs` ago. */
  async function silentHolder(silentMs: number | null) {
    await publish(ctx, actor);
    const owner = crypto.randomUUID();
    const { lanes: claimed } = await claimLanes(ctx, {
      owner,
      leaseMs,
      limit: 9,
      maxDeliveries: 9,
      bytes: 1 << 20,
    });
    const [lane] = claimed;
    if (!lane || claimed.length > 1) throw new Error(`${claimed.length} lanes were due`);
    if (silentMs !== null) await hadHeartbeat(owner, { steadyMs: silentMs, silentMs });
    return { owner, lane };
  }

  /** Sets a worker's first heartbeat `steadyMs` ago and its last one `silentMs` ago. */
  async function hadHeartbeat(
    owner: string,
    { steadyMs, silentMs }: { steadyMs: number; silentMs: number },
  ): Promise<void> {
    const ago = (ms: number) => sql`now() - ${ms}::float8 * interval '1 millisecond'`;
    const row = {
      startedAt: ago(steadyMs),
      steadySince: ago(steadyMs),
      lastHeartbeatAt: ago(silentMs),
    };
    await ctx.db
      .insert(workers)
      .values({ owner, ...row })
      .onConflictDoUpdate({ target: workers.owner, set: row });
  }

  const ownersKnown = async () => (await ctx.db.select().from(workers)).map(({ owner }) => owner);
  const laneNow = async () =>
    (await ctx.db.select().from(lanes).where(eq(lanes.webhookId, webhook.id)))[0];
  const statuses = async () =>
    (await ctx.db.select().from(deliveries).where(eq(deliveries.webhookId, webhook.id))).map(
      ({ status }) => status,
    );

  describe(`the workers on ${engine}`, { timeout: 60_000 }, () => {
    test('free the leases of a dead worker long before they expire, and delete its row', async () => {
      const { owner } = await silentHolder(hourMs);
      const worker = work();
      await eventually(statuses).toEqual(['delivered']);
      await eventually(ownersKnown).not.toContain(owner);
      expect(await ownersKnown()).toHaveLength(1);
      await worker.stop();
      expect(await ownersKnown()).toEqual([]);
    });

    test('leave the lease of a worker without heartbeats alone until it expires', async () => {
      const { owner } = await silentHolder(null);
      await hadHeartbeat(crypto.randomUUID(), { steadyMs: hourMs, silentMs: hourMs });
      work();
      // The dead worker's row is deleted, so by now they have looked for silent workers.
      await eventually(ownersKnown).toHaveLength(1);
      expect(await laneNow()).toMatchObject({ owner });
      expect(receivers.received).toEqual([]);
      await passTime(ctx, leaseMs);
      await eventually(statuses).toEqual(['delivered']);
    });

    test('leave expired leases to their owner while they have only just started, since both may have been away', async () => {
      const { owner } = await silentHolder(null);
      await passTime(ctx, leaseMs);
      const other = await addWebhook(ctx, actor, { url: 'https://other.example.com/' });
      work({ deadAfterMs: hourMs });
      await publish(ctx, actor);
      await eventually(() => receivers.received.map(({ laneId }) => laneId)).toEqual([other.id]);
      expect(await laneNow()).toMatchObject({ owner });
      work();
      await eventually(statuses).toEqual(['delivered', 'delivered']);
    });

    test('free no leases before their own heartbeats have been regular', async () => {
      const { owner: holder } = await silentHolder(deadAfterMs);
      const owner = crypto.randomUUID();
      const options = { owner, deadAfterMs };
      expect(await recordHeartbeat(ctx, options)).toMatchObject({
        isSteady: false,
        silent: [holder],
      });
      // As after an outage of the database, which interrupts the heartbeats of all workers.
      await hadHeartbeat(owner, { steadyMs: hourMs, silentMs: deadAfterMs / 2 + 1000 });
      expect(await recordHeartbeat(ctx, options)).toMatchObject({
        isSteady: false,
        wasAliveBefore: false,
      });
      expect(await laneNow()).toMatchObject({ owner: holder });

      await hadHeartbeat(owner, { steadyMs: deadAfterMs, silentMs: deadAfterMs / 2 - 10_000 });
      expect(await recordHeartbeat(ctx, options)).toMatchObject({
        isSteady: true,
        wasAliveBefore: true,
      });
      expect(await laneNow()).toMatchObject({ owner: null, wakeAt: ctx.clock.now() });
      expect(await ownersKnown()).toEqual([owner]);
    });

    test('leave a worker alone if its heartbeat resumes before its leases are freed', async () => {
      const { owner } = await silentHolder(deadAfterMs - 10_000);
      await freeLeasesOfSilentWorkers(ctx, { owners: [owner], deadAfterMs });
      expect(await laneNow()).toMatchObject({ owner });
      expect(await ownersKnown()).toEqual([owner]);
    });

    test('know when the heartbeat of another worker will be too old, and when they may free its leases', async () => {
      const owner = crypto.randomUUID();
      const nextChangeMs = async () =>
        (await recordHeartbeat(ctx, { owner, deadAfterMs })).nextChangeMs;
      const expectWithin = async (from: number, to: number) =>
        expect(await nextChangeMs()).toSatisfy((ms: number) => ms > from && ms <= to);
      await expectWithin(deadAfterMs - 10_000, deadAfterMs);
      await hadHeartbeat(owner, { steadyMs: deadAfterMs - 10_000, silentMs: 0 });
      await expectWithin(0, 10_000);
      await hadHeartbeat(owner, { steadyMs: deadAfterMs, silentMs: 0 });
      expect(await nextChangeMs()).toBeNull();
      await hadHeartbeat(crypto.randomUUID(), {
        steadyMs: hourMs,
        silentMs: deadAfterMs - 20_000,
      });
      await expectWithin(10_000, 20_000);
    });

    test('ignore the results of a worker whose leases were freed', async () => {
      const { owner, lane } = await silentHolder(deadAfterMs);
      await freeLeasesOfSilentWorkers(ctx, { owners: [owner], deadAfterMs });
      const completed = await completeAttempts(ctx, {
        owner,
        leaseMs,
        attempts: attemptsOn(lane, { startedAt: ctx.clock.now(), becomes: { status: 'failed' } }),
        lanes: [{ ...lane, isReleased: false }],
        isLast: false,
      });
      expect(completed).toEqual([]);
      expect(await statuses()).toEqual(['pending']);
      expect(await laneNow()).toMatchObject({ owner: null, failureCount: 0 });
      expect(
        await ctx.db.select().from(attempts).where(eq(attempts.webhookId, webhook.id)),
      ).toHaveLength(1);
    });
  });
}
