import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { sweepLanes } from '../domain/lanes/sweep-lanes.ts';
import { acceptOffers } from './accept-offers.ts';
import type { Outcome, Sender } from './sending/attempt.ts';
import { BodyMemory } from './fairness/body-memory.ts';
import { BulkRate } from './fairness/bulk-rate.ts';
import { DeliveryDispatcher } from './delivery-dispatcher.ts';
import { followLanes, handleNotification } from './follow-lanes.ts';
import type { HeldLane } from './held-lane.ts';
import { Intake } from './intake.ts';
import { PacedJob } from './paced-job.ts';
import { WorkerHeartbeat } from './worker-heartbeat.ts';
import { Recovery } from './recovery.ts';
import { recordResult } from './outcome/record-result.ts';
import type { DecideOutcome } from './outcome/record-result.ts';
import { Settler } from './settler.ts';
import { SocketPlaces } from './fairness/socket-places.ts';
import { stopWorker } from './stop-worker.ts';
import type { WorkerLimits, WorkerPace } from './worker-pace.ts';

export type WorkerMetrics = {
  countAttempt(outcome: Outcome['kind']): void;
  countRepaired(deliveries: number): void;
};

export type Worker = {
  /** Waits until attempts in progress have ended and are settled, and releases all lanes. */
  stop(): Promise<void>;
};

/**
 * Runs deliveries: claims lanes, one for each webhook, sends the deliveries that are due and writes
 * the results. Any number of workers may run on one database. If a worker dies, nothing is lost:
 * another one frees its leases within seconds, and attempts whose results were not written are
 * repeated with the same `webhook-id`.
 */
export function startWorker(
  ctx: Context,
  options: {
    sender: Sender;
    decideOutcome: DecideOutcome;
    metrics: WorkerMetrics;
    pace: WorkerPace;
    limits: WorkerLimits;
  },
): Worker {
  const { sender, decideOutcome, metrics, pace, limits } = options;
  const { log } = ctx;
  const owner = randomUUID();
  const lanes = new Map<number, HeldLane>();
  const memory = new BodyMemory(limits.bodyBytes);
  let isStopping = false;
  const onError = (error: unknown) =>
    log.error({ err: error }, 'an unexpected error in the delivery worker');

  const settler = new Settler({
    ctx,
    owner,
    leaseMs: pace.leaseMs,
    paceMs: pace.settleMs,
    releaseMs: pace.releaseMs,
    gapMs: pace.gapMs,
    maxPerStatement: pace.attemptsPerSettlement,
    lanes,
    onSettled({ more, nextWakeAt }) {
      if (isStopping) return;
      for (const lane of more) proceed(lane);
      if (nextWakeAt) intake.claimAt(nextWakeAt);
    },
    isHeldUp: () => recovery.isUnderWay,
    onError: (error) => recovery.begin(error),
  });
  const places = new SocketPlaces(limits);
  const dispatcher = new DeliveryDispatcher({
    sender,
    places,
    rate: new BulkRate(() => performance.now()),
    now: () => ctx.clock.now(),
    result: (lane, about) =>
      recordResult(
        ctx,
        { settler, decideOutcome, countAttempt: (kind) => metrics.countAttempt(kind) },
        { lane, ...about },
      ),
    room: (lane) => intake.refill(lane),
    onError,
  });
  const intake = new Intake({
    ctx,
    owner,
    leaseMs: pace.leaseMs,
    pollMs: pace.pollMs,
    gapMs: pace.gapMs,
    lanesPerClaim: pace.lanesPerClaim,
    deliveriesPerTake: pace.deliveriesPerTake,
    lanes,
    memory,
    onTaken: proceed,
    onNotification: (lane, notification) =>
      handleNotification(lane, { notification, intake, settler }),
    // Their workers may have lost the database too and be about to write their results.
    skipsExpiredLeases: () => heartbeat !== null && !heartbeat.isSteady(),
    isHeldUp: () => recovery.isUnderWay || heartbeat?.isKnown === false,
    onError: (error) => recovery.begin(error),
  });
  const recovery = new Recovery({
    ctx,
    owner,
    leaseMs: pace.leaseMs,
    lanes,
    settler,
    intake,
    onEnd() {
      if (isStopping) return;
      for (const lane of lanes.values()) proceed(lane);
      intake.claim();
      sweeper.request();
    },
  });

  const heartbeat =
    pace.heartbeatMs === null
      ? null
      : new WorkerHeartbeat({
          ctx,
          owner,
          heartbeatMs: pace.heartbeatMs,
          deadAfterMs: pace.deadAfterMs,
          onGap: reviewLanes,
          onChange: () => intake.claim(),
          onError: (error) => recovery.begin(error),
        });

  /** Sends nothing more that was taken before it is known whether the lanes are still held. */
  function reviewLanes(): void {
    for (const lane of lanes.values()) {
      lane.dropQueue();
      settler.look(lane);
    }
  }

  function proceed(lane: HeldLane): void {
    dispatcher.pump(lane);
    intake.refill(lane);
    if (lane.isDoneAfter(0)) settler.look(lane);
  }

  const detach = ctx.laneNotifier.attach({
    offer(webhookIds) {
      if (isStopping || recovery.isUnderWay || heartbeat?.isKnown === false) return webhookIds;
      const isBusy = heartbeat !== null && places.used > limits.sockets / 2;
      return acceptOffers(webhookIds, { intake, lanes, isBusy });
    },
  });
  followLanes(ctx, { lanes, intake, settler, isStopping: () => isStopping });

  const sweeper = new PacedJob({
    async act() {
      const { deliveries } = await sweepLanes(ctx);
      metrics.countRepaired(deliveries);
    },
    onError,
  });
  const timers = [
    setInterval(() => intake.claim(), pace.pollMs),
    setInterval(() => sweeper.request(), pace.sweepMs),
    setInterval(() => {
      for (const lane of lanes.values()) {
        lane.startOver();
        settler.look(lane);
      }
    }, pace.leaseMs / 3),
  ];
  intake.claim();

  return {
    async stop() {
      isStopping = true;
      detach();
      timers.forEach(clearInterval);
      const parts = { lanes, settler, sweeper, intake, dispatcher, recovery, heartbeat };
      await stopWorker(ctx, parts);
    },
  };
}
