import { randomUUID } from 'node:crypto';
import { Budget } from '../concurrency/budget.ts';
import type { Context } from '../context.ts';
import { sweepLanes } from '../domain/lanes/recover-lanes.ts';
import { DeliveryDispatcher } from './delivery-dispatcher.ts';
import { BulkRate } from './fairness/bulk-rate.ts';
import { Sockets } from './fairness/sockets.ts';
import { applyNotification, followLanes } from './follow-lanes.ts';
import { beginAttemptSpan } from './attempt-span.ts';
import type { HeldLane } from './held-lane.ts';
import { Intake } from './intake.ts';
import type { DecideOutcome, Outcome } from './outcome/decide-outcome.ts';
import { recordResult } from './outcome/record-result.ts';
import { PacedJob } from './paced-job.ts';
import { Recovery } from './recovery.ts';
import type { Sender } from './sending/attempt.ts';
import { Completions } from './completions.ts';
import { stopWorker } from './stop-worker.ts';
import { WorkerHeartbeat } from './worker-heartbeat.ts';
import type { WorkerLimits, WorkerPace } from './worker-pace.ts';

type WorkerMetrics = {
  countAttempt(outcome: Outcome['kind'], failure: string | null): void;
  countRepaired(deliveries: number): void;
};

export type Worker = {
  /** The attempts in progress. */
  attemptsInFlight(): number;
  /** Waits until attempts in progress have ended and are completed, and releases all lanes. */
  stop(): Promise<void>;
};

type WorkerOptions = {
  sender: Sender;
  decideOutcome: DecideOutcome;
  metrics: WorkerMetrics;
  pace: WorkerPace;
  limits: WorkerLimits;
};

/**
 * Runs deliveries: claims lanes, one for each webhook, sends the deliveries that are due and writes
 * the results. Any number of workers may run on one database. If a worker dies, nothing is lost:
 * another one frees its leases within seconds, and attempts whose results were not written are
 * repeated with the same `webhook-id`.
 */
export function startWorker(ctx: Context, options: WorkerOptions): Worker {
  const worker = new DeliveryWorker(ctx, options);
  worker.start();
  return { attemptsInFlight: () => worker.attemptsInFlight, stop: () => worker.stop() };
}

/** Connects the parts of a worker: most of them call others when their own work is done. */
class DeliveryWorker {
  readonly #ctx: Context;
  readonly #options: WorkerOptions;
  readonly #owner = randomUUID();
  readonly #lanes = new Map<number, HeldLane>();
  readonly #sockets: Sockets;
  readonly #completions: Completions;
  readonly #dispatcher: DeliveryDispatcher;
  readonly #intake: Intake;
  readonly #recovery: Recovery;
  readonly #heartbeat: WorkerHeartbeat | null;
  readonly #sweeper: PacedJob;
  #detach: (() => void) | null = null;
  #timers: NodeJS.Timeout[] = [];
  #isStopping = false;

  constructor(ctx: Context, options: WorkerOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.#sockets = new Sockets(options.limits);
    this.#completions = this.#createCompletions();
    this.#dispatcher = this.#createDispatcher();
    this.#intake = this.#createIntake();
    this.#recovery = this.#createRecovery();
    this.#heartbeat = this.#createHeartbeat();
    this.#sweeper = this.#createSweeper();
  }

  start(): void {
    const { pollMs, sweepMs, leaseMs } = this.#options.pace;
    this.#detach = this.#ctx.laneNotifier.attach({ queue: (ids) => this.#acceptQueued(ids) });
    followLanes(this.#ctx, {
      lanes: this.#lanes,
      intake: this.#intake,
      completions: this.#completions,
      isStopping: () => this.#isStopping,
    });
    this.#timers = [
      setInterval(() => this.#intake.claim(), pollMs),
      setInterval(() => this.#sweeper.request(), sweepMs),
      setInterval(() => this.#renewLeases(), leaseMs / 3),
    ];
    this.#intake.claim();
  }

  get attemptsInFlight(): number {
    return this.#sockets.used;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#detach?.();
    this.#timers.forEach(clearInterval);
    await stopWorker(this.#ctx, {
      lanes: this.#lanes,
      completions: this.#completions,
      sweeper: this.#sweeper,
      intake: this.#intake,
      dispatcher: this.#dispatcher,
      recovery: this.#recovery,
      heartbeat: this.#heartbeat,
    });
  }

  #createCompletions(): Completions {
    const { leaseMs, collectMs, releaseMs, gapMs, attemptsPerCompletion } = this.#options.pace;
    return new Completions({
      ctx: this.#ctx,
      owner: this.#owner,
      leaseMs,
      collectMs,
      releaseMs,
      gapMs,
      maxPerStatement: attemptsPerCompletion,
      lanes: this.#lanes,
      onCompleted: ({ more, nextWakeAt }) => {
        if (this.#isStopping) return;
        for (const lane of more) this.#proceed(lane);
        if (nextWakeAt) this.#intake.claimAt(nextWakeAt);
      },
      isHeldUp: () => this.#recovery.isUnderWay,
      onError: (error) => this.#recovery.begin(error),
    });
  }

  #createDispatcher(): DeliveryDispatcher {
    const { sender, decideOutcome, metrics } = this.#options;
    return new DeliveryDispatcher({
      sender,
      sockets: this.#sockets,
      rate: new BulkRate(() => performance.now()),
      now: () => this.#ctx.clock.now(),
      beginSpan: (lane, delivery) => beginAttemptSpan(this.#ctx, lane, delivery),
      onResult: (lane, ended) =>
        recordResult(
          this.#ctx,
          { completions: this.#completions, decideOutcome, metrics },
          { lane, ...ended },
        ),
      onCapacity: (lane) => this.#intake.refill(lane),
      onError: (error) => this.#logError(error),
    });
  }

  #createIntake(): Intake {
    const { leaseMs, pollMs, gapMs, lanesPerClaim, deliveriesPerTake } = this.#options.pace;
    return new Intake({
      ctx: this.#ctx,
      owner: this.#owner,
      leaseMs,
      pollMs,
      gapMs,
      lanesPerClaim,
      deliveriesPerTake,
      lanes: this.#lanes,
      memory: new Budget({ capacity: this.#options.limits.bodyBytes }),
      onTaken: (lane) => this.#proceed(lane),
      onNotification: (lane, notification) =>
        applyNotification(lane, {
          notification,
          intake: this.#intake,
          completions: this.#completions,
        }),
      // Their workers may have lost the database too and be about to write their results.
      skipsExpiredLeases: () => this.#heartbeat !== null && !this.#heartbeat.isSteady(),
      isHeldUp: () => this.#isHeldUp(),
      onError: (error) => this.#recovery.begin(error),
    });
  }

  #createRecovery(): Recovery {
    return new Recovery({
      ctx: this.#ctx,
      owner: this.#owner,
      leaseMs: this.#options.pace.leaseMs,
      lanes: this.#lanes,
      completions: this.#completions,
      intake: this.#intake,
      onEnd: () => {
        if (this.#isStopping) return;
        for (const lane of this.#lanes.values()) this.#proceed(lane);
        this.#intake.claim();
        this.#sweeper.request();
      },
    });
  }

  #createHeartbeat(): WorkerHeartbeat | null {
    const { heartbeatMs, deadAfterMs } = this.#options.pace;
    if (heartbeatMs === null) return null;
    return new WorkerHeartbeat({
      ctx: this.#ctx,
      owner: this.#owner,
      heartbeatMs,
      deadAfterMs,
      onGap: () => this.#reviewLanes(),
      onChange: () => this.#intake.claim(),
      onError: (error) => this.#recovery.begin(error),
    });
  }

  #createSweeper(): PacedJob {
    return new PacedJob({
      act: async () => {
        const { deliveries } = await sweepLanes(this.#ctx);
        this.#options.metrics.countRepaired(deliveries);
      },
      onError: (error) => this.#logError(error),
    });
  }

  #acceptQueued(webhookIds: readonly number[]): readonly number[] {
    if (this.#isStopping || this.#isHeldUp()) return webhookIds;
    const isBusy =
      this.#heartbeat !== null && this.#sockets.used > this.#options.limits.sockets / 2;
    return acceptQueued(webhookIds, { intake: this.#intake, lanes: this.#lanes, isBusy });
  }

  /** Whether it may not claim: a claim before its first heartbeat would be freed late. */
  #isHeldUp(): boolean {
    return this.#recovery.isUnderWay || this.#heartbeat?.isKnown === false;
  }

  #proceed(lane: HeldLane): void {
    this.#dispatcher.pump(lane);
    this.#intake.refill(lane);
    if (lane.isDoneAfter(0)) this.#completions.renewOrRelease(lane);
  }

  /** Sends nothing more that was taken before it is known whether the lanes are still held. */
  #reviewLanes(): void {
    for (const lane of this.#lanes.values()) {
      lane.dropQueue();
      this.#completions.renewOrRelease(lane);
    }
  }

  #renewLeases(): void {
    for (const lane of this.#lanes.values()) {
      lane.startOver();
      this.#completions.renewOrRelease(lane);
    }
  }

  #logError(error: unknown): void {
    this.#ctx.log.error({ err: error }, 'an unexpected error in the delivery worker');
  }
}

/**
 * Accepts newly queued deliveries of webhooks, so that their lanes need not be woken. A busy
 * worker accepts only those of lanes that it holds, and leaves the others to other workers.
 *
 * @returns the webhooks whose deliveries were not accepted
 */
function acceptQueued(
  webhookIds: readonly number[],
  to: { intake: Intake; lanes: ReadonlyMap<number, HeldLane>; isBusy: boolean },
): number[] {
  const left: number[] = [];
  for (const id of webhookIds) {
    if (to.isBusy && !to.lanes.has(id)) left.push(id);
    else to.intake.queue(id);
  }
  return left;
}
