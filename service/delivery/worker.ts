import { randomInt, randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { announceExpiries } from '../domain/api-keys/expiry/announce-expiries.ts';
import { notifyOfDueLanes } from '../domain/lanes/notify-of-due-lanes.ts';
import { subscribeToLanes } from '../domain/lanes/subscribe-to-lanes.ts';
import { sweepLanes } from '../domain/lanes/sweep-lanes.ts';
import type { TakenDelivery } from '../domain/lanes/taken-delivery.ts';
import { announceFailing } from '../domain/webhooks/deactivation/announce-failing.ts';
import { warnOfDeactivation } from '../domain/webhooks/deactivation/warn-of-deactivation.ts';
import type { AttemptResult, Outcome, Sender } from './sending/attempt.ts';
import { BodyMemory } from './sharing/body-memory.ts';
import { BulkRate } from './sharing/bulk-rate.ts';
import { Dispatcher } from './dispatcher.ts';
import type { HeldLane } from './held-lane.ts';
import { Intake } from './intake.ts';
import type { Ending } from './sharing/lane-window.ts';
import { PacedJob } from './paced-job.ts';
import { Presence } from './presence.ts';
import { Recovery } from './recovery.ts';
import { settleResult } from './outcome/settle-result.ts';
import { Settler } from './settler.ts';
import { SocketPlaces } from './sharing/socket-places.ts';
import type { WorkerLimits, WorkerPace } from './worker-pace.ts';

/** What an attempt means; `tries` counts it. */
export type DecideOutcome = (
  result: AttemptResult,
  at: { tries: number; internalErrors: number; now: Date; random: () => number },
) => Outcome;

export type WorkerMetrics = {
  countAttempt(outcome: Outcome['kind']): void;
  countRepaired(deliveries: number): void;
};

export type Worker = {
  /** Lets attempts under way end and settle, and gives all lanes back. */
  stop(): Promise<void>;
};

/**
 * Delivers: claims lanes, one per webhook, sends what is due in them and writes down what came of
 * it. Any number of workers may run on one database. A worker that dies loses nothing: another one
 * frees its leases within seconds, and what was not written down is sent again, under the same
 * `webhook-id`.
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
  const onError = (error: unknown) => log.error({ err: error }, 'the delivery worker met an error');

  const settler = new Settler({
    ctx,
    owner,
    leaseMs: pace.leaseMs,
    paceMs: pace.settleMs,
    releaseMs: pace.releaseMs,
    gapMs: pace.gapMs,
    mostAtOnce: pace.attemptsPerSettlement,
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
  const dispatcher = new Dispatcher({
    sender,
    places,
    rate: new BulkRate(() => performance.now()),
    now: () => ctx.clock.now(),
    result: noteResult,
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
    // They may only just be back, as this worker is, and about to write down what they know.
    sparesOthers: () => presence !== null && !presence.isSteady(),
    isHeldUp: () => recovery.isUnderWay || presence?.isKnown === false,
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

  const presence =
    pace.beatMs === null
      ? null
      : new Presence({
          ctx,
          owner,
          beatMs: pace.beatMs,
          deadAfterMs: pace.deadAfterMs,
          onGap: reviewLanes,
          onChange: () => intake.claim(),
          onError: (error) => recovery.begin(error),
        });

  /** Sends nothing more of what was taken before it is known that the lanes are still held. */
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

  function noteResult(
    lane: HeldLane,
    about: { delivery: TakenDelivery; url: string; result: AttemptResult },
  ): Ending {
    const { delivery, result } = about;
    const outcome: Outcome =
      delivery.event === null
        ? { kind: 'event_gone' }
        : decideOutcome(result, {
            tries: delivery.tries + 1,
            internalErrors: delivery.attemptCount - delivery.tries,
            now: ctx.clock.now(),
            random,
          });
    logAttempt(lane, { ...about, outcome });
    metrics.countAttempt(outcome.kind);
    settler.add({ lane, attempt: settleResult({ lane: leaseOf(lane), ...about }, outcome) });
    if (outcome.kind === 'gone' && !delivery.isTest) lane.end();
    if (outcome.kind === 'delivered') return 'success';
    return result.error?.kind.endsWith('_timeout') ? 'timeout' : 'other';
  }

  function logAttempt(
    lane: HeldLane,
    about: { delivery: TakenDelivery; result: AttemptResult; outcome: Outcome },
  ): void {
    const { delivery, result, outcome } = about;
    log[logLevels[outcome.kind]](
      {
        accountId: lane.accountId,
        webhookId: lane.webhookId,
        eventUuid: delivery.event?.uuid ?? null,
        attempt: delivery.attemptCount + 1,
        outcome: outcome.kind,
        statusCode: result.response?.statusCode ?? null,
        error: result.error,
        durationMs: Math.round(result.durationMs),
        waitedMs: result.startedAt.getTime() - delivery.dueAt.getTime(),
      },
      'attempt',
    );
  }

  const detach = ctx.laneNotifier.attach({
    offer(webhookIds) {
      if (isStopping || recovery.isUnderWay || presence?.isKnown === false) return webhookIds;
      // A busy worker leaves lanes that it does not hold to other workers, where there may be any.
      const isBusy = presence !== null && places.used > limits.sockets / 2;
      const left: number[] = [];
      for (const id of webhookIds) {
        if (isBusy && !lanes.has(id)) left.push(id);
        else intake.offer(id);
      }
      return left;
    },
  });
  subscribeToLanes(ctx, {
    due: () => !isStopping && intake.claim(),
    changed(webhookIds) {
      if (isStopping) return;
      for (const id of webhookIds) {
        const lane = lanes.get(id);
        if (lane) settler.look(lane);
      }
    },
    webhookChanged(id) {
      const lane = lanes.get(id);
      if (!lane || isStopping) return;
      lane.readAgain();
      settler.look(lane);
    },
  });

  const sweeper = new PacedJob({
    async act() {
      const { deliveries } = await sweepLanes(ctx);
      metrics.countRepaired(deliveries);
      await announceFailing(ctx);
      await warnOfDeactivation(ctx);
      await announceExpiries(ctx);
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
      for (const lane of lanes.values()) {
        lane.end();
        // Releases those in which nothing is under way: other workers need not wait for the rest.
        settler.look(lane);
      }
      await Promise.all([sweeper.stop(), intake.stop()]);
      await dispatcher.stop();
      try {
        await recovery.stop();
        await settler.finish();
        await presence?.leave();
        // Otherwise other workers would find what came due only at their next poll.
        if (presence) await notifyOfDueLanes(ctx);
      } finally {
        // What could not be given back is freed by others, once they miss this worker.
        await presence?.stop();
      }
    },
  };
}

/** The log level of each outcome: internal errors stand out, failures of receivers do not. */
const logLevels = {
  delivered: 'debug',
  retry: 'info',
  give_up: 'info',
  gone: 'info',
  event_gone: 'warn',
  our_fault: 'error',
} as const satisfies Record<Outcome['kind'], string>;

/** From 0 up to 1. */
function random(): number {
  return randomInt(2 ** 32) / 2 ** 32;
}

function leaseOf({ webhookId, accountId, lease }: HeldLane) {
  return { webhookId, accountId, lease };
}
