import type { Context } from '../context.ts';
import { settleAttempts } from '../domain/lanes/settle-attempts.ts';
import type { AttemptName, SettledAttempt } from '../domain/lanes/settled-attempt.ts';
import type { HeldLane } from './held-lane.ts';
import { PacedJob } from './paced-job.ts';

type Ended = { lane: HeldLane; attempt: SettledAttempt };

/**
 * Writes down what attempts came to, many in one statement, and with it renews the lanes that are
 * still at work and releases those that are done.
 */
export class Settler {
  readonly #ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config' | 'laneNotifier'>;
  readonly #owner: string;
  readonly #leaseMs: number;
  readonly #paceMs: number;
  readonly #releaseMs: number;
  readonly #maxConcurrent: number;
  readonly #lanes: Map<number, HeldLane>;
  readonly #onSettled: (about: { more: HeldLane[]; nextWakeAt: Date | null }) => void;
  readonly #isHeldUp: () => boolean;
  readonly #job: PacedJob;
  #ended: Ended[] = [];
  #named = new Set<HeldLane>();
  #isLast = false;

  constructor(options: {
    ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config' | 'laneNotifier'>;
    owner: string;
    leaseMs: number;
    /** How long results gather, and how long when they end the work in their lane. */
    paceMs: number;
    releaseMs: number;
    /** The least time between two statements. */
    gapMs: number;
    /** Attempts in one statement. */
    maxConcurrent: number;
    /** The lanes held, by webhook; those released or lost are removed from it. */
    lanes: Map<number, HeldLane>;
    /** `more`: lanes that something came due in; `nextWakeAt`: of the lanes released. */
    onSettled: (about: { more: HeldLane[]; nextWakeAt: Date | null }) => void;
    /** Results are only kept; `catchUp` writes them down. */
    isHeldUp: () => boolean;
    onError: (error: unknown) => void;
  }) {
    this.#ctx = options.ctx;
    this.#owner = options.owner;
    this.#leaseMs = options.leaseMs;
    this.#paceMs = options.paceMs;
    this.#releaseMs = options.releaseMs;
    this.#maxConcurrent = options.maxConcurrent;
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
    // Soon, where the lane is done: an event that finds it free is sent a statement sooner.
    const gatherMs = lane.isDoneAfter(lane.unsettled) ? this.#releaseMs : this.#paceMs;
    this.#job.request(this.#ended.length >= this.#maxConcurrent ? 0 : gatherMs);
  }

  /** Renews a lane, or releases it if it is done, and asks whether something came due in it. */
  look(lane: HeldLane): void {
    this.#named.add(lane);
    this.#job.request();
  }

  /** Resolves when no statement is running. */
  async idle(): Promise<void> {
    await this.#job.idle();
  }

  /** The attempts that were not written down, or of which that is not known. */
  unwritten(): AttemptName[] {
    return this.#ended.map(({ attempt }) => attempt);
  }

  /** These of them were written down after all. */
  forget(written: readonly AttemptName[]): void {
    const gone = new Set(written);
    for (const { lane, attempt } of this.#ended)
      if (gone.has(attempt)) lane.forget(attempt.eventId);
    this.#ended = this.#ended.filter(({ attempt }) => !gone.has(attempt));
  }

  /** Writes down what was kept, and looks at every lane. */
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
    const ended = this.#ended.splice(0, this.#maxConcurrent);
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
      this.#job.request(this.#ended.length >= this.#maxConcurrent ? 0 : this.#paceMs);
    }
  }

  async #write(
    ended: readonly Ended[],
    lanes: readonly { lane: HeldLane; isReleased: boolean }[],
  ): Promise<void> {
    const settled = await settleAttempts(this.#ctx, {
      owner: this.#owner,
      leaseMs: this.#leaseMs,
      // Of a lane that is still held under a new number, the attempts go with it.
      attempts: ended.map(({ lane, attempt }) => ({ ...attempt, lease: lane.lease })),
      lanes: lanes.map(({ lane: { webhookId, lease }, isReleased }) => ({
        webhookId,
        lease,
        isReleased,
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
      // While the answer was on its way, the webhook's lane may have been claimed anew.
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
    // Their new holder was not notified of what this process queued.
    this.#ctx.laneNotifier.touch(lost);
    this.#onSettled({ more, nextWakeAt });
  }
}
