import type { Context } from '../context.ts';
import { claimLanes } from '../domain/lanes/claim-lanes.ts';
import { takeDeliveries } from '../domain/lanes/take-deliveries.ts';
import type { BodyMemory } from './sharing/body-memory.ts';
import { FairTurns } from './sharing/fair-turns.ts';
import type { Asked } from './sharing/fair-turns.ts';
import { HeldLane } from './held-lane.ts';
import type { LaneTake } from './held-lane.ts';
import { LaneWindow } from './sharing/lane-window.ts';
import { PacedJob } from './paced-job.ts';

const kibibyte = 1024;
/** Of each; one delivery comes whatever its size. */
const firstTake = { room: 4, bytes: 32 * kibibyte };
/** What one claimed lane may cost: what it takes, and one of the largest bodies beyond. */
const bytesPerClaimedLane = firstTake.bytes + 64 * kibibyte;
/** In one statement. */
const bytesPerTake = 8 * kibibyte * kibibyte;
/** Of lanes not held now, so that a bad receiver does not begin anew with each event. */
const windowsRemembered = 10_000;

/**
 * A claim passes over a lane that a touch has locked, and that touch, finding the lane due, tells
 * nobody. So as long as one is due and locked it looks again: this often where the lane is known to
 * be its own to claim, for a touch lasts as long as the disk needs to commit it; and seldom else,
 * for then it is mostly another worker that is claiming it.
 */
const looksForKnownMs = [2, 4, 8, 16, 32, 64, 128];
const lookForLockedMs = 1000;

/** Claims lanes for a worker and takes their deliveries. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #claims: PacedJob;
  readonly #takes: PacedJob;
  /** Lanes that have room for more. */
  readonly #wanting = new FairTurns<HeldLane>();
  readonly #windows = new Map<number, LaneWindow>();
  #looksLeft: number[] = [];
  #waitsForRoom = false;
  #isStopped = false;

  constructor(options: IntakeOptions) {
    this.#options = options;
    const { gapMs, onError } = options;
    this.#claims = new PacedJob({ act: () => this.#claim(), gapMs, onError });
    this.#takes = new PacedJob({ act: () => this.#take(), gapMs, onError });
  }

  /** Claims what is due, within so many milliseconds. */
  claim(delayMs = 0): void {
    this.#claims.request(delayMs);
  }

  /** Claims what is known to be due now. */
  claimDue(): void {
    this.#looksLeft = [...looksForKnownMs];
    this.#claims.request();
  }

  /** Takes more for a lane that has room. */
  refill(lane: HeldLane): void {
    if (lane.nextTake() !== null) {
      this.#wanting.add(lane);
      this.#takes.request();
    }
    const { memory, lanes } = this.#options;
    if (memory.takeRefusal()) {
      for (const each of lanes.values()) this.#wanting.add(each);
      this.#takes.request();
    }
    if (this.#waitsForRoom && memory.free >= bytesPerClaimedLane) {
      this.#waitsForRoom = false;
      this.#claims.request();
    }
  }

  /** Resolves when no statement is under way. */
  async idle(): Promise<void> {
    await Promise.all([this.#claims.idle(), this.#takes.idle()]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#claims.stop(), this.#takes.stop()]);
  }

  async #claim(): Promise<void> {
    const { ctx, owner, leaseMs, lanes, memory, lanesPerClaim } = this.#options;
    if (this.#options.isHeldUp()) return;
    const limit = Math.min(lanesPerClaim, Math.floor(memory.free / bytesPerClaimedLane));
    this.#waitsForRoom = limit < 1;
    if (this.#waitsForRoom) return;

    const sparesOthers = this.#options.sparesOthers();
    const claimed = await claimLanes(ctx, { owner, leaseMs, limit, sparesOthers, ...firstTake });
    const now = ctx.clock.now();
    for (const taken of claimed.lanes) {
      // A lane of ours whose lease ran out: what is under way in it comes too late to count.
      lanes.get(taken.webhookId)?.end();
      const lane = new HeldLane(taken, { window: this.#windowOf(taken), memory });
      lanes.set(lane.webhookId, lane);
      lane.accept(taken, { ...firstTake, now });
      this.#go(lane);
    }
    if (claimed.lanes.length === limit) this.#claims.request();
    if (claimed.lanes.length > 0) this.#looksLeft = [];
    if (claimed.isMoreDue) this.#claims.request(this.#looksLeft.shift() ?? lookForLockedMs);
    else this.#looksLeft = [];
    if (claimed.nextWakeAt) this.claimAt(claimed.nextWakeAt);
  }

  /** Claims again at a moment, unless the poll comes sooner. */
  claimAt(moment: Date): void {
    const waitMs = moment.getTime() - this.#options.ctx.clock.now().getTime();
    if (waitMs <= 0) this.claimDue();
    else if (waitMs < this.#options.pollMs) this.#claims.request(waitMs);
  }

  async #take(): Promise<void> {
    const { ctx, owner } = this.#options;
    if (this.#options.isHeldUp()) return;
    const asked = this.#chooseTakes();
    if (asked.size === 0) return;

    try {
      const found = await takeDeliveries(ctx, { owner, lanes: [...asked.values()] });
      const foundOf = new Map(found.map((taken) => [taken.webhookId, taken]));
      const now = ctx.clock.now();
      for (const [lane, take] of asked) {
        const taken = foundOf.get(lane.webhookId);
        if (!taken || this.#isStopped) lane.end();
        else if (!lane.isOver) lane.accept(taken, { ...take, now });
      }
    } finally {
      for (const [lane, { bytes }] of asked) this.#endTake(lane, bytes);
    }
    for (const lane of asked.keys()) this.#go(lane);
  }

  /** What the next statement takes, of the lanes whose turn it is. */
  #chooseTakes(): Map<HeldLane, LaneTake> {
    const { memory, deliveriesPerTake } = this.#options;
    const asked = new Map<HeldLane, LaneTake>();
    let room = deliveriesPerTake;
    let bytes = bytesPerTake;
    const ask = (lane: HeldLane): Asked => {
      const take = lane.nextTake();
      if (take === null) return 'idle';
      if (room <= 0 || bytes <= 0) return 'blocked';
      room -= take.room;
      bytes -= take.bytes;
      // Kept for it until it is known how large they are.
      memory.add(lane.accountId, take.bytes);
      lane.beginTake();
      asked.set(lane, take);
      return 'served';
    };
    this.#wanting.serve(Infinity, ask);
    if (room <= 0 || bytes <= 0) this.#takes.request();
    return asked;
  }

  #endTake(lane: HeldLane, bytes: number): void {
    this.#options.memory.add(lane.accountId, -bytes);
    lane.endTake();
  }

  #go(lane: HeldLane): void {
    if (this.#isStopped) lane.end();
    else if (this.#options.isHeldUp()) lane.dropQueue();
    this.#options.onTaken(lane);
    this.refill(lane);
  }

  #windowOf({ webhookId, isFailing }: { webhookId: number; isFailing: boolean }): LaneWindow {
    const window = this.#windows.get(webhookId) ?? new LaneWindow(isFailing);
    this.#windows.delete(webhookId);
    this.#windows.set(webhookId, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > windowsRemembered && oldest !== undefined) {
      this.#windows.delete(oldest);
    }
    return window;
  }
}

type IntakeOptions = {
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log'>;
  owner: string;
  leaseMs: number;
  pollMs: number;
  /** The least time between two statements of a kind. */
  gapMs: number;
  /** At most, in one statement. */
  lanesPerClaim: number;
  deliveriesPerTake: number;
  /** The lanes held, by webhook; those claimed are added to it. */
  lanes: Map<number, HeldLane>;
  memory: BodyMemory;
  onTaken: (lane: HeldLane) => void;
  /** Leases of others that ran out are not claimed for now. */
  sparesOthers: () => boolean;
  /** Nothing is claimed or taken for now. */
  isHeldUp: () => boolean;
  onError: (error: unknown) => void;
};
