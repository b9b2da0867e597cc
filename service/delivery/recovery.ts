import type { Context } from '../context.ts';
import { retryPauseMs } from '../retry-pause.ts';
import { reviewLeases } from '../domain/lanes/review-leases.ts';
import type { HeldLane } from './held-lane.ts';
import type { Intake } from './intake.ts';
import { PacedJob } from './paced-job.ts';
import type { Settler } from './settler.ts';

/** A failure so soon after a recovery belongs to the same trouble. */
const calmAfterMs = 5000;

/**
 * Brings a worker back after one of its statements failed. Until the database responds, the worker
 * sends and claims nothing and keeps the results of the attempts in progress, so that memory stays
 * bounded. It then asks which statements were executed, since a response can be lost after the commit,
 * writes the missing results, and only then claims again: its leases may have expired meanwhile, and
 * claiming first would send again what it already sent.
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
        this.#tell(error);
        this.#job.request(retryPauseMs());
      },
    });
  }

  /** Whether only this may use the database. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** A statement failed. */
  begin(error: unknown): void {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    const isNew = performance.now() - this.#endedAt > calmAfterMs;
    if (isNew) this.#lastError = '';
    this.#tell(error);
    for (const lane of this.#options.lanes.values()) lane.dropQueue();
    this.#job.request(isNew ? 0 : retryPauseMs());
  }

  /**
   * Ends the retries after the current one, or after one last. @throws if the database still fails
   */
  async stop(): Promise<void> {
    await this.#job.stop();
    if (this.#isUnderWay) await this.#recover();
  }

  async #recover(): Promise<void> {
    const { ctx, owner, leaseMs, lanes, settler, intake } = this.#options;
    // What one of their statements still does must not come after the review.
    await Promise.all([settler.idle(), intake.idle()]);
    const { leases, written } = await reviewLeases(ctx, {
      owner,
      leaseMs,
      known: [...lanes.keys()],
      attempts: settler.unwritten(),
    });
    settler.forget(written);
    for (const lane of lanes.values()) {
      const lease = leases.get(lane.webhookId);
      if (lease !== undefined) lane.lease = lease;
    }
    await settler.catchUp();
    this.#isUnderWay = false;
    this.#endedAt = performance.now();
    ctx.log.info('the delivery worker goes on');
    this.#options.onEnd();
  }

  /** Once for each kind of failure, since it is tried again many times a minute. */
  #tell(error: unknown): void {
    const kind = kindOf(error);
    if (kind === this.#lastError) return;
    this.#lastError = kind;
    this.#options.ctx.log.error({ err: error }, 'the database failed: deliveries wait for it');
  }
}

/** Of what the driver said: the query builder's own words repeat the statement. */
function kindOf(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.message;
}

type RecoveryOptions = {
  ctx: Pick<Context, 'db' | 'clock' | 'log'>;
  owner: string;
  leaseMs: number;
  lanes: Map<number, HeldLane>;
  settler: Settler;
  intake: Intake;
  /** Everything may go on. */
  onEnd: () => void;
};
