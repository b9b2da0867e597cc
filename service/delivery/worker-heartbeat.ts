import type { Context } from '../context.ts';
import { recordHeartbeat, removeWorker } from '../domain/workers/record-heartbeat.ts';
import { retryPauseMs } from '../timing/retry-pause.ts';
import { PacedJob } from './paced-job.ts';

/**
 * Records this worker's heartbeats, and frees the leases of workers whose heartbeats stopped.
 * Heartbeats are rows with a time, not locks of a database session, because behind a connection
 * pooler a session does not belong to one worker.
 */
export class WorkerHeartbeat {
  readonly #options: WorkerHeartbeatOptions;
  readonly #job: PacedJob;
  #isKnown = false;
  #isSteady = false;
  #beatAt = -Infinity;

  constructor(options: WorkerHeartbeatOptions) {
    this.#options = options;
    this.#job = new PacedJob({
      act: () => this.#recordHeartbeat(),
      onError: (error) => {
        options.onError(error);
        this.#job.request(retryPauseMs());
      },
    });
    this.#job.request();
  }

  /** Whether it recorded a heartbeat. Without one, its leases would be freed late if it died. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Whether it may declare other workers dead, because its own heartbeats have been regular. */
  isSteady(): boolean {
    const { deadAfterMs } = this.#options;
    return this.#isSteady && performance.now() - this.#beatAt < deadAfterMs / 2;
  }

  /** Stops the heartbeat and leaves the row, as a crash would. */
  async stop(): Promise<void> {
    await this.#job.stop();
  }

  /** Stops the heartbeat and deletes the row. All leases must have been released before. */
  async leave(): Promise<void> {
    await this.#job.stop();
    await removeWorker(this.#options.ctx, this.#options.owner);
  }

  async #recordHeartbeat(): Promise<void> {
    const { ctx, owner, heartbeatMs, deadAfterMs } = this.#options;
    const beatAt = performance.now();
    const { isSteady, wasAliveBefore, nextChangeMs } = await recordHeartbeat(ctx, {
      owner,
      deadAfterMs,
    });
    const wasKnown = this.#isKnown;
    const wasSteady = this.#isSteady;
    this.#isKnown = true;
    this.#isSteady = isSteady;
    this.#beatAt = beatAt;
    this.#job.request(Math.min(heartbeatMs, nextChangeMs ?? heartbeatMs));
    if (wasKnown && !wasAliveBefore) this.#options.onGap();
    if (!wasKnown || isSteady !== wasSteady) this.#options.onChange();
  }
}

type WorkerHeartbeatOptions = {
  ctx: Pick<Context, 'db' | 'clock' | 'log'>;
  owner: string;
  heartbeatMs: number;
  deadAfterMs: number;
  /** Called after a long gap between heartbeats: other workers may have taken its lanes. */
  onGap: () => void;
  /** Called when `isKnown` or `isSteady()` changed. */
  onChange: () => void;
  onError: (error: unknown) => void;
};
