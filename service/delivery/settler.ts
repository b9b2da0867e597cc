import type { Context } from '../context.ts';
import { settleAttempts } from '../domain/lanes/settle-attempts.ts';
import type { AttemptName, SettledAttempt } from '../domain/lanes/settled-attempt.ts';
import type { HeldLane } from './held-lane.ts';
import { PacedJob } from './paced-job.ts';

type Ended = { lane: HeldLane; attempt: SettledAttempt };

/**
 * Writes the results of attempts, many in one statement. The same statement renews the leases of
 * lanes that have more to do, and releases the other lanes.
 */
export class Settler {
  readonly #ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config' | 'laneNotifier'>;
  readonly #owner: string;
  readonly #leaseMs: number;
  readonly #settleMs: number;
  readonly #releaseMs: number;
  readonly #maxPerStatement: number;
  readonly #lanes: Map<number, HeldLane>;
  readonly #onSettled: (result: { more: HeldLane[]; nextWakeAt: Date | null }) => void;
  readonly #isHeldUp: () => boolean;
  readonly #job: PacedJob;
  #ended: Ended[] = [];
  #named = new Set<HeldLane>();
  #isLast = false;

  constructor(options: {
    ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config' | 'laneNotifier'>;
    owner: string;
    leaseMs: number;
    /**
     * How long results are collected before they are written; `releaseMs` if a lane is done with
     * them.
     */
    settleMs: number;
    releaseMs: number;
    /** The shortest time between two statements. */
    gapMs: number;
    /** The most attempts in one statement. */
    maxPerStatement: number;
    /** The lanes this worker holds, by webhook id. Released or lost lanes are removed. */
    lanes: Map<number, HeldLane>;
    /**
     * `more`: lanes that are still held; `nextWakeAt`: when the first of the released lanes is due.
     */
    onSettled: (result: { more: HeldLane[]; nextWakeAt: Date | null }) => void;
    /** While this is true, results are only kept; `catchUp` writes them. */
    isHeldUp: () => boolean;
    onError: (error: unknown) => void;
  }) {
    this.#ctx = options.ctx;
    this.#owner = options.owner;
    this.#leaseMs = options.leaseMs;
    this.#settleMs = options.settleMs;
    this.#releaseMs = options.releaseMs;
    this.#maxPerStatement = options.maxPerStatement;
    this.#lanes = options.lanes;
    this.#onSettled = options.onSettled;
    this.#isHeldUp = options.isHeldUp;
    this.#job = new PacedJob({
      act: async () => {
        if (!this.#isHeldUp()) await this.#settle();
      },
      gapMs: options.gapMs,
      onError: options.onError,
    });
  }

  /** Keeps the result of an attempt for the next statement. */
  add(ended: Ended): void {
    this.#ended.push(ended);
    const { lane } = ended;
    // If the lane is done, its results are written sooner: the next event saves a statement if it
    // finds the lane free.
    const gatherMs = lane.isDoneAfter(lane.unsettled) ? this.#releaseMs : this.#settleMs;
    this.#job.request(this.#ended.length >= this.#maxPerStatement ? 0 : gatherMs);
  }

  /** Renews a lane, or releases it if it is done, and checks whether deliveries came due in it. */
  renewOrRelease(lane: HeldLane): void {
    this.#named.add(lane);
    this.#job.request();
  }

  /** Resolves when no statement is running. */
  async idle(): Promise<void> {
    await this.#job.idle();
  }

  /** The attempts whose results are not written, or may not be. */
  unwritten(): AttemptName[] {
    return this.#ended.map(({ attempt }) => attempt);
  }

  /** Forgets attempts whose results turned out to be written. */
  forget(written: readonly AttemptName[]): void {
    const gone = new Set(written);
    for (const { lane, attempt } of this.#ended)
      if (gone.has(attempt)) lane.forget(attempt.eventId);
    this.#ended = this.#ended.filter(({ attempt }) => !gone.has(attempt));
  }

  /** Writes all kept results, and checks every lane. */
  async catchUp(): Promise<void> {
    this.#named = new Set(this.#lanes.values());
    while (this.#ended.length > 0 || this.#named.size > 0) await this.#settle();
  }

  /** Settles the remaining attempts and releases every lane. All attempts must have ended. */
  async finish(): Promise<void> {
    await this.#job.stop();
    this.#isLast = true;
    await this.catchUp();
  }

  async #settle(): Promise<void> {
    const ended = this.#ended.splice(0, this.#maxPerStatement);
    const named = this.#named;
    this.#named = new Set();
    const settling = Map.groupBy(ended, ({ lane }) => lane);
    const lanes = [...new Set([...settling.keys(), ...named])]
      .filter((lane) => this.#lanes.get(lane.webhookId) === lane)
      .map((lane) => {
        const isReleased = lane.isDoneAfter(settling.get(lane)?.length ?? 0);
        lane.isBeingReleased = isReleased;
        return { lane, isReleased };
      });
    if (ended.length === 0 && lanes.length === 0) return;

    try {
      await this.#write(ended, lanes);
    } catch (error) {
      this.#ended.unshift(...ended);
      for (const { lane } of lanes) {
        lane.isBeingReleased = false;
        this.#named.add(lane);
      }
      throw error;
    }
    if (this.#ended.length > 0 && !this.#isLast) {
      this.#job.request(this.#ended.length >= this.#maxPerStatement ? 0 : this.#settleMs);
    }
  }

  async #write(
    ended: readonly Ended[],
    lanes: readonly { lane: HeldLane; isReleased: boolean }[],
  ): Promise<void> {
    const settled = await settleAttempts(this.#ctx, {
      owner: this.#owner,
      leaseMs: this.#leaseMs,
      // If a lane is still held under a new lease number, its attempts use that number.
      attempts: ended.map(({ lane, attempt }) => ({ ...attempt, lease: lane.lease })),
      lanes: lanes.map(({ lane: { webhookId, lease, hasEnded }, isReleased }) => ({
        webhookId,
        lease,
        isReleased,
        hasEnded,
      })),
      isLast: this.#isLast,
    });
    for (const { lane, attempt } of ended) lane.forget(attempt.eventId);

    const found = new Map(settled.map((each) => [each.webhookId, each]));
    const more: HeldLane[] = [];
    const lost: number[] = [];
    let nextWakeAt: Date | null = null;
    for (const { lane } of lanes) {
      lane.isBeingReleased = false;
      // The lane may have been claimed again before the response came.
      if (this.#lanes.get(lane.webhookId) !== lane) {
        lane.end();
        continue;
      }
      const now = found.get(lane.webhookId);
      if (!now) lost.push(lane.webhookId);
      if (!now || now.isReleased) {
        lane.end();
        this.#lanes.delete(lane.webhookId);
        const wakeAt = now?.isPaused ? null : (now?.wakeAt ?? null);
        if (wakeAt && (nextWakeAt === null || wakeAt < nextWakeAt)) nextWakeAt = wakeAt;
        continue;
      }
      lane.isFailing = now.failureCount > 0;
      if (now.isPaused) lane.end();
      else if (now.wasDirty) lane.startOver();
      more.push(lane);
    }
    // The new holders of these lanes were not notified of deliveries that this process queued.
    this.#ctx.laneNotifier.touch(lost);
    this.#onSettled({ more, nextWakeAt });
  }
}
