import type { Context } from '../context.ts';
import { completeAttempts } from '../domain/lanes/complete-attempts.ts';
import type { AttemptName, CompletedAttempt } from '../domain/lanes/completed-attempt.ts';
import type { HeldLane } from './held-lane.ts';
import { PacedJob } from './paced-job.ts';

type Ended = { lane: HeldLane; attempt: CompletedAttempt };
type CompletedLane = Awaited<ReturnType<typeof completeAttempts>>[number];

/** Writes results of attempts, many in a statement, which also renews or releases their lanes. */
export class Completions {
  readonly #options: CompletionsOptions;
  readonly #job: PacedJob;
  #ended: Ended[] = [];
  /** Lanes that the next statement renews or releases even if no attempt in them has ended. */
  #toRenewOrRelease = new Set<HeldLane>();
  #isLast = false;

  constructor(options: CompletionsOptions) {
    this.#options = options;
    const { gapMs, onError } = options;
    this.#job = new PacedJob({
      act: async () => {
        if (!options.isHeldUp()) await this.#complete();
      },
      gapMs,
      onError,
    });
  }

  /** Keeps the result of an attempt for the next statement. */
  add(ended: Ended): void {
    this.#ended.push(ended);
    const { lane } = ended;
    // If the lane is done, its results are written sooner: the next event saves a statement if it
    // finds the lane free.
    const { releaseMs, collectMs, maxPerStatement } = this.#options;
    const gatherMs = lane.isDoneAfter(lane.uncompleted) ? releaseMs : collectMs;
    this.#job.request(this.#ended.length >= maxPerStatement ? 0 : gatherMs);
  }

  /** Renews a lane, or releases it if it is done, and checks whether deliveries came due in it. */
  renewOrRelease(lane: HeldLane): void {
    this.#toRenewOrRelease.add(lane);
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
    this.#toRenewOrRelease = new Set(this.#options.lanes.values());
    while (this.#ended.length > 0 || this.#toRenewOrRelease.size > 0) await this.#complete();
  }

  /** Completes the remaining attempts and releases every lane. All attempts must have ended. */
  async finish(): Promise<void> {
    await this.#job.stop();
    this.#isLast = true;
    await this.catchUp();
  }

  async #complete(): Promise<void> {
    const { lanes: held, maxPerStatement, collectMs } = this.#options;
    const ended = this.#ended.splice(0, maxPerStatement);
    const toRenewOrRelease = this.#toRenewOrRelease;
    this.#toRenewOrRelease = new Set();
    const completing = Map.groupBy(ended, ({ lane }) => lane);
    const lanes = [...new Set([...completing.keys(), ...toRenewOrRelease])]
      .filter((lane) => held.get(lane.webhookId) === lane)
      .map((lane) => {
        const isReleased = lane.isDoneAfter(completing.get(lane)?.length ?? 0);
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
        this.#toRenewOrRelease.add(lane);
      }
      throw error;
    }
    if (this.#ended.length > 0 && !this.#isLast) {
      this.#job.request(this.#ended.length >= maxPerStatement ? 0 : collectMs);
    }
  }

  async #write(
    ended: readonly Ended[],
    lanes: readonly { lane: HeldLane; isReleased: boolean }[],
  ): Promise<void> {
    const { ctx, owner, leaseMs } = this.#options;
    const completed = await completeAttempts(ctx, {
      owner,
      leaseMs,
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
    this.#updateLanes(
      lanes.map(({ lane }) => lane),
      new Map(completed.map((each) => [each.webhookId, each])),
    );
  }

  /** Keeps the lanes that the statement renewed, and ends those that it released or did not find. */
  #updateLanes(lanes: readonly HeldLane[], completed: ReadonlyMap<number, CompletedLane>): void {
    const { ctx, lanes: held, onCompleted } = this.#options;
    const more: HeldLane[] = [];
    const lost: number[] = [];
    let nextWakeAt: Date | null = null;
    for (const lane of lanes) {
      lane.isBeingReleased = false;
      // The lane may have been claimed again before the response came.
      if (held.get(lane.webhookId) !== lane) {
        lane.end();
        continue;
      }
      const now = completed.get(lane.webhookId);
      if (!now) lost.push(lane.webhookId);
      if (!now || now.isReleased) {
        lane.end();
        held.delete(lane.webhookId);
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
    ctx.laneNotifier.wake(lost);
    onCompleted({ more, nextWakeAt });
  }
}

type CompletionsOptions = {
  ctx: Pick<
    Context,
    'db' | 'clock' | 'log' | 'mail' | 'config' | 'laneNotifier' | 'effects' | 'tracing'
  >;
  owner: string;
  leaseMs: number;
  /** How long results are collected before a write; `releaseMs` if a lane is done with them. */
  collectMs: number;
  releaseMs: number;
  /** The shortest time between two statements. */
  gapMs: number;
  /** The most attempts in one statement. */
  maxPerStatement: number;
  /** The lanes this worker holds, by webhook id. Released or lost lanes are removed. */
  lanes: Map<number, HeldLane>;
  /** `more`: lanes still held; `nextWakeAt`: when the first of the released lanes is due. */
  onCompleted: (result: { more: HeldLane[]; nextWakeAt: Date | null }) => void;
  /** While this is true, results are only kept; `catchUp` writes them. */
  isHeldUp: () => boolean;
  onError: (error: unknown) => void;
};
