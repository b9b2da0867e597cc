import { asc, eq } from 'drizzle-orm';
import { afterEach, beforeEach } from 'vitest';
import type { Context } from '../../context.ts';
import type { Worker } from '../../delivery/worker.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { attempts, deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { claimLanes } from '../../domain/lanes/claim-lanes.ts';
import { completeAttempts } from '../../domain/lanes/complete-attempts.ts';
import type { CompletedAttempt } from '../../domain/lanes/completed-attempt.ts';
import type { TakenLane } from '../../domain/lanes/read-taken-lanes.ts';
import { getWebhook } from '../../domain/webhooks/read-webhooks.ts';
import type { TestContext } from '../context.ts';
import { ScriptedReceivers, attemptsOn, startTestWorker } from '../delivery/delivery-worker.ts';
import { useApi } from '../use-api.ts';

const takes = { maxDeliveries: 9, bytes: 1_000_000 };

/**
 * What the suites about deliveries share: each suite has its own database, and each of its tests an
 * account, receivers and workers.
 */
export function openDeliverySuite(engine: OpenDatabase['engine']) {
  const { ctx, owner: actor } = useApi({ engine, accountFor: 'test' });
  let receivers: ScriptedReceivers;
  let workers: Worker[] = [];
  beforeEach(async () => {
    receivers = new ScriptedReceivers(ctx);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
    // Deliveries of one test must not be due in the next.
    await ctx.db.delete(deliveries);
    await ctx.db.update(lanes).set({ wakeAt: null, owner: null, isDirty: false });
  });

  /** Starts a worker. `ctx`: its context, if it is not the one of the suite. */
  function work({
    ctx: own = ctx,
    ...options
  }: { ctx?: TestContext } & Partial<Parameters<typeof startTestWorker>[1]> = {}) {
    const worker = startTestWorker(own, { sender: receivers, ...options });
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
  /** Whether there is nothing to do for a webhook, now or later. */
  const isAsleep = async (webhook: { id: number }) => {
    const statuses = await statusesOf(webhook);
    const { owner, wakeAt } = await laneOf(webhook);
    return !statuses.includes('pending') && owner === null && wakeAt === null;
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

  /** Completes an attempt of each delivery that was claimed, and releases the lane. */
  async function complete(
    { owner, lane }: { owner: string; lane: TakenLane },
    change: Partial<CompletedAttempt> = {},
    on: Context = ctx,
  ) {
    return await completeAttempts(on, {
      owner,
      leaseMs: 30_000,
      attempts: attemptsOn(lane, { startedAt: ctx.clock.now(), ...change }),
      lanes: [{ ...lane, isReleased: true }],
      isLast: false,
    });
  }

  return {
    ctx,
    /** The owner of an account of the running test. */
    actor,
    get receivers() {
      return receivers;
    },
    work,
    deliveriesOf,
    statusesOf,
    attemptsOf,
    laneOf,
    isAsleep,
    stateOf,
    claim,
    complete,
  };
}
