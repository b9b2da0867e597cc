import type { Budget } from '../concurrency/budget.ts';
import type { Context } from '../context.ts';
import { claimLanes, claimOrWakeLanes } from '../domain/lanes/claim-lanes.ts';
import type { TakenLane } from '../domain/lanes/read-taken-lanes.ts';
import { HeldLane } from './held-lane.ts';
import { LaneWindows } from './fairness/lane-window.ts';
import { PacedJob } from './paced-job.ts';
import { TakeQueue } from './take-queue.ts';

const kibibyte = 1024;
/** How much a claim takes of each lane. At least one delivery is taken, regardless of its size. */
const firstTake = { maxDeliveries: 4, bytes: 32 * kibibyte };
/** The memory that a claimed lane may need: its first take, plus one body of the largest size. */
const bytesPerClaimedLane = firstTake.bytes + 64 * kibibyte;

/**
 * A claim skips a lane that a wake-up has locked, and that wake-up notifies no worker if the lane is
 * already due. So while a lane is due and locked, the claim is repeated. If this worker has just
 * released a lane that is due, it is repeated at these intervals, since the lock is then usually a
 * wake-up, which lasts only until its commit. Otherwise, also after a notification, it is repeated
 * every `repeatWhileLockedMs`, since the lock is then usually another worker's claim.
 */
const repeatsAfterReleaseMs = [2, 4, 8, 16, 32, 64, 128];
const repeatWhileLockedMs = 1000;

/** Claims lanes for a worker. Its `TakeQueue` takes their deliveries. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #claims: PacedJob;
  readonly #queuedClaims: PacedJob;
  readonly #takes: TakeQueue;
  /** Webhooks for which this process queued deliveries, and whose lanes it does not hold. */
  readonly #queued = new Set<number>();
  readonly #windows = new LaneWindows();
  /** The largest number of lanes that the claims in progress can return. */
  #lanesBeingClaimed = 0;
  /** The notifications that came while each claim runs, which may have read the state before. */
  readonly #notificationsDuringClaims = new Set<Map<number, LaneNotification>>();
  #repeatsLeft: number[] = [];
  #waitsForMemory = false;
  #isStopped = false;

  constructor(options: IntakeOptions) {
    this.#options = options;
    const { gapMs, onError } = options;
    this.#claims = new PacedJob({ act: () => this.#claim(), gapMs, onError });
    this.#queuedClaims = new PacedJob({ act: () => this.#claimQueued(), gapMs, onError });
    this.#takes = new TakeQueue({ ...options, onTaken: (lane) => this.#passOn(lane) });
  }

  /** Claims the lanes that are due, after at most `delayMs`. */
  claim(delayMs = 0): void {
    this.#claims.request(delayMs);
  }

  /** Claims the lanes that are known to be due now. */
  claimDue(): void {
    this.#repeatsLeft = [...repeatsAfterReleaseMs];
    this.#claims.request();
  }

  /**
   * Takes the deliveries that this process has just queued for a webhook. If this worker holds the
   * lane, it takes more of it; otherwise it claims the lane if it is free, or wakes it.
   */
  queue(webhookId: number): void {
    const lane = this.#options.lanes.get(webhookId);
    if (lane === undefined) {
      this.#queued.add(webhookId);
      this.#queuedClaims.request();
    } else if (lane.hasEnded || lane.isBeingReleased) {
      // This worker takes nothing more of the lane, and the statement that releases it may not see
      // the new delivery.
      this.#options.ctx.laneNotifier.wake([webhookId]);
    } else {
      lane.startOver();
      this.refill(lane);
    }
  }

  /** Keeps a notification about a lane in case a claim in progress returns the lane. */
  recordNotification(webhookId: number, notification: LaneNotification): void {
    for (const kept of this.#notificationsDuringClaims) {
      if (kept.get(webhookId) !== 'webhook changed') kept.set(webhookId, notification);
    }
  }

  /** Takes more deliveries for a lane, if it may hold more. */
  refill(lane: HeldLane): void {
    this.#takes.request(lane);
    if (this.#waitsForMemory && this.#options.memory.free >= bytesPerClaimedLane) {
      this.#waitsForMemory = false;
      this.#claims.request();
    }
  }

  /** Resolves when no statement is running. */
  async idle(): Promise<void> {
    await Promise.all([this.#claims.idle(), this.#queuedClaims.idle(), this.#takes.idle()]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#claims.stop(), this.#queuedClaims.stop(), this.#takes.stop()]);
    this.#options.ctx.laneNotifier.wake([...this.#queued]);
  }

  async #claim(): Promise<void> {
    const { ctx, owner, leaseMs } = this.#options;
    if (this.#options.isHeldUp()) return;
    const limit = this.#maxLanes();
    this.#waitsForMemory = limit < 1;
    if (this.#waitsForMemory) return;

    const skipsExpiredLeases = this.#options.skipsExpiredLeases();
    const input = { owner, leaseMs, limit, skipsExpiredLeases, ...firstTake };
    const claimed = await this.#claimAndHold(limit, () => claimLanes(ctx, input));
    if (claimed.lanes.length === limit) this.#claims.request();
    if (claimed.lanes.length > 0) this.#repeatsLeft = [];
    if (claimed.isMoreDue) this.#claims.request(this.#repeatsLeft.shift() ?? repeatWhileLockedMs);
    else this.#repeatsLeft = [];
    if (claimed.nextWakeAt) this.claimAt(claimed.nextWakeAt);
  }

  async #claimQueued(): Promise<void> {
    const { ctx, owner, leaseMs, lanes } = this.#options;
    const queued = [...this.#queued];
    this.#queued.clear();
    const wanted = queued.filter((id) => !lanes.has(id));
    // The statement before has claimed these lanes in the meantime.
    for (const webhookId of queued) if (lanes.has(webhookId)) this.queue(webhookId);
    const limit = this.#options.isHeldUp() ? 0 : this.#maxLanes();
    const webhookIds = wanted.slice(0, limit);
    const rest = wanted.slice(limit);
    if (webhookIds.length === 0) {
      ctx.laneNotifier.wake(rest);
      return;
    }
    for (const webhookId of rest) this.#queued.add(webhookId);
    if (rest.length > 0) this.#queuedClaims.request();

    let toWake = webhookIds;
    try {
      const input = { owner, leaseMs, webhookIds, ...firstTake };
      const { locked } = await this.#claimAndHold(webhookIds.length, () =>
        claimOrWakeLanes(ctx, input),
      );
      toWake = locked;
    } finally {
      ctx.laneNotifier.wake(toWake);
      // A claim that was refused for lack of memory may succeed now.
      if (this.#waitsForMemory) this.#claims.request();
    }
  }

  /** How many lanes one statement may claim: as many as memory allows. */
  #maxLanes(): number {
    const { memory, lanesPerClaim } = this.#options;
    const max = Math.floor(memory.free / bytesPerClaimedLane) - this.#lanesBeingClaimed;
    return Math.max(0, Math.min(lanesPerClaim, max));
  }

  /** Runs a statement that claims at most `limit` lanes, and holds these. */
  async #claimAndHold<Result extends { lanes: readonly TakenLane[] }>(
    limit: number,
    claim: () => Promise<Result>,
  ): Promise<Result> {
    const notifications = new Map<number, LaneNotification>();
    this.#notificationsDuringClaims.add(notifications);
    this.#lanesBeingClaimed += limit;
    try {
      const result = await claim();
      this.#hold(result.lanes, notifications);
      return result;
    } finally {
      this.#lanesBeingClaimed -= limit;
      this.#notificationsDuringClaims.delete(notifications);
    }
  }

  #hold(claimed: readonly TakenLane[], notifications: ReadonlyMap<number, LaneNotification>): void {
    const { ctx, lanes, memory } = this.#options;
    const now = ctx.clock.now();
    for (const taken of claimed) {
      // This worker held the lane before, and its lease expired: results of its open attempts are
      // ignored.
      const before = lanes.get(taken.webhookId);
      before?.end();
      const lane = new HeldLane(taken, { window: this.#windows.of(taken), memory });
      lanes.set(lane.webhookId, lane);
      lane.accept(taken, { ...firstTake, now });
      // A delivery may have been queued in the lane after this read.
      if (before) lane.startOver();
      const notification = notifications.get(lane.webhookId);
      if (notification) this.#options.onNotification(lane, notification);
      this.#passOn(lane);
    }
  }

  /** Claims again at this time, unless the regular poll comes sooner. */
  claimAt(moment: Date): void {
    const waitMs = moment.getTime() - this.#options.ctx.clock.now().getTime();
    if (waitMs <= 0) this.claimDue();
    else if (waitMs < this.#options.pollMs) this.#claims.request(waitMs);
  }

  /** Lets the deliveries that were taken be sent, and takes more if the lane may hold more. */
  #passOn(lane: HeldLane): void {
    if (this.#isStopped) lane.end();
    else if (this.#options.isHeldUp()) lane.dropQueue();
    this.#options.onTaken(lane);
    this.refill(lane);
  }
}

/** What a notification says about a lane. */
export type LaneNotification = 'deliveries due' | 'webhook changed';

type IntakeOptions = {
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log' | 'laneNotifier'>;
  owner: string;
  leaseMs: number;
  pollMs: number;
  /** The shortest time between two statements of the same kind. */
  gapMs: number;
  /** The most that one statement claims or takes. */
  lanesPerClaim: number;
  deliveriesPerTake: number;
  /** The lanes this worker holds, by webhook id. Claimed lanes are added. */
  lanes: Map<number, HeldLane>;
  memory: Budget;
  onTaken: (lane: HeldLane) => void;
  /** Called if a lane changed while it was being claimed. */
  onNotification: (lane: HeldLane, notification: LaneNotification) => void;
  /** Whether expired leases of other workers are left alone for now. */
  skipsExpiredLeases: () => boolean;
  /** Whether nothing is claimed or taken for now. */
  isHeldUp: () => boolean;
  onError: (error: unknown) => void;
};
