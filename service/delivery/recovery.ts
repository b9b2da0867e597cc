import { failureKind } from '#lib/failures/throttled-failures.ts';
import type { Context } from '../context.ts';
import { retryPauseMs } from '../timing/retry-pause.ts';
import { reviewLeases } from '../domain/lanes/recover-lanes.ts';
import type { HeldLane } from './held-lane.ts';
import type { Intake } from './intake.ts';
import { PacedJob } from './paced-job.ts';
import type { Completions } from './completions.ts';

/** A failure within this time after a recovery belongs to the same outage. */
const calmAfterMs = 5000;

/**
 * Brings a worker back after one of its statements failed. Until the database responds, the worker
 * sends and claims nothing, but keeps the results of attempts in progress, so memory stays bounded.
 * It then asks which statements were executed, since a response can be lost after the commit, and
 * writes the missing results. Only then does it claim again: its leases may have expired in the
 * meantime, and a claim before that would repeat attempts that were already made.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #job: PacedJob;
  #isUnderWay = false;
  #endedAt = -Infinity;
  #lastError = '';

  constructor(options: RecoveryOptions) {
    this.#options = options;
    this.#job = new PacedJob({
      act: () => this.#recover(),
      onError: (error) => {
        this.#logOnce(error);
        this.#job.request(retryPauseMs());
      },
    });
  }

  /** Whether only the recovery may use the database now. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Begins a recovery after a statement failed. */
  begin(error: unknown): void {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    const isNew = performance.now() - this.#endedAt > calmAfterMs;
    if (isNew) this.#lastError = '';
    this.#logOnce(error);
    for (const lane of this.#options.lanes.values()) lane.dropQueue();
    this.#job.request(isNew ? 0 : retryPauseMs());
  }

  /** Ends the retries after the current one, or a last one. @throws if the database still fails */
  async stop(): Promise<void> {
    await this.#job.stop();
    if (this.#isUnderWay) await this.#recover();
  }

  async #recover(): Promise<void> {
    const { ctx, owner, leaseMs, lanes, completions, intake } = this.#options;
    // Their statements in progress must have ended before the review.
    await Promise.all([completions.idle(), intake.idle()]);
    const { leases, written } = await reviewLeases(ctx, {
      owner,
      leaseMs,
      known: [...lanes.keys()],
      attempts: completions.unwritten(),
    });
    completions.forget(written);
    for (const lane of lanes.values()) {
      const lease = leases.get(lane.webhookId);
      if (lease !== undefined) lane.lease = lease;
    }
    await completions.catchUp();
    this.#isUnderWay = false;
    this.#endedAt = performance.now();
    ctx.log.info('the delivery worker has resumed');
    this.#options.onEnd();
  }

  /** Logs each kind of failure once, since the recovery is retried many times a minute. */
  #logOnce(error: unknown): void {
    const kind = failureKind(error);
    if (kind === this.#lastError) return;
    this.#lastError = kind;
    this.#options.ctx.log.error({ err: error }, 'the database failed: deliveries are paused');
  }
}

type RecoveryOptions = {
  ctx: Pick<Context, 'db' | 'clock' | 'log'>;
  owner: string;
  leaseMs: number;
  lanes: Map<number, HeldLane>;
  completions: Completions;
  intake: Intake;
  /** Called when the worker can continue. */
  onEnd: () => void;
};
