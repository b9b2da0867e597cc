import type { Budget } from '../concurrency/budget.ts';
import { Turns } from '../concurrency/turns.ts';
import type { TurnResult } from '../concurrency/turns.ts';
import type { Context } from '../context.ts';
import { takeDeliveries } from '../domain/lanes/claim-lanes.ts';
import type { HeldLane, LaneTake } from './held-lane.ts';
import { PacedJob } from './paced-job.ts';

/** The most bytes of bodies that one statement takes, for all its lanes together. */
const bytesPerTake = 8 * 1024 * 1024;

/** Takes more deliveries for the lanes that a worker holds, several lanes in one statement. */
export class TakeQueue {
  readonly #options: TakeQueueOptions;
  readonly #job: PacedJob;
  /** Lanes that may hold more deliveries. */
  readonly #wanting = new Turns<string, HeldLane>();
  #isStopped = false;

  constructor(options: TakeQueueOptions) {
    this.#options = options;
    const { gapMs, onError } = options;
    this.#job = new PacedJob({ act: () => this.#take(), gapMs, onError });
  }

  /**
   * Takes more deliveries for a lane, if it may still hold more when its turn comes. A lane for
   * which there is no memory waits for the next request.
   */
  request(lane: HeldLane): void {
    if (lane.nextTake() !== null) this.#wanting.add(lane.accountId, lane);
    if (this.#wanting.size > 0) this.#job.request();
  }

  /** Resolves when no statement is running. */
  async idle(): Promise<void> {
    await this.#job.idle();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#job.stop();
  }

  async #take(): Promise<void> {
    const { ctx, owner, isHeldUp, onTaken } = this.#options;
    if (isHeldUp()) return;
    const asked = this.#chooseTakes();
    if (asked.size === 0) return;
    const lost: number[] = [];

    try {
      const found = await takeDeliveries(ctx, { owner, lanes: [...asked.values()] });
      const foundOf = new Map(found.map((taken) => [taken.webhookId, taken]));
      const now = ctx.clock.now();
      for (const [lane, take] of asked) {
        const taken = foundOf.get(lane.webhookId);
        if (!taken) lost.push(lane.webhookId);
        if (!taken || this.#isStopped) lane.end();
        else if (!lane.hasEnded) lane.accept(taken, { ...take, now });
      }
    } finally {
      for (const [lane, { bytes }] of asked) this.#endTake(lane, bytes);
    }
    for (const lane of asked.keys()) onTaken(lane);
    // The new holders of these lanes were not notified of deliveries that this process queued.
    ctx.laneNotifier.wake(lost);
  }

  /** Chooses what the next statement takes, from the lanes whose turn it is. */
  #chooseTakes(): Map<HeldLane, LaneTake> {
    const { memory, deliveriesPerTake } = this.#options;
    const asked = new Map<HeldLane, LaneTake>();
    let deliveries = deliveriesPerTake;
    let bytes = bytesPerTake;
    const ask = (lane: HeldLane): TurnResult => {
      const take = lane.nextTake();
      if (take === null) return 'idle';
      if (take === 'no memory' || deliveries <= 0 || bytes <= 0) return 'blocked';
      deliveries -= take.maxDeliveries;
      bytes -= take.bytes;
      // Reserved until the sizes of the bodies are known.
      memory.add(lane.accountId, take.bytes);
      lane.beginTake();
      asked.set(lane, take);
      return 'served';
    };
    this.#wanting.serve(Infinity, ask);
    if (deliveries <= 0 || bytes <= 0) this.#job.request();
    return asked;
  }

  #endTake(lane: HeldLane, bytes: number): void {
    this.#options.memory.add(lane.accountId, -bytes);
    lane.endTake();
  }
}

type TakeQueueOptions = {
  ctx: Pick<Context, 'db' | 'clock' | 'cipher' | 'log' | 'laneNotifier'>;
  owner: string;
  /** The shortest time between two statements. */
  gapMs: number;
  /** The most that one statement takes. */
  deliveriesPerTake: number;
  memory: Budget;
  /** Called for each lane for which a statement took deliveries, or tried to. */
  onTaken: (lane: HeldLane) => void;
  /** Whether nothing is taken for now. */
  isHeldUp: () => boolean;
  onError: (error: unknown) => void;
};
