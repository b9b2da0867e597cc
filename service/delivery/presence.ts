import type { Context } from '../context.ts';
import { recordHeartbeat } from '../domain/workers/record-heartbeat.ts';
import { removeWorker } from '../domain/workers/remove-worker.ts';
import { retryPauseMs } from '../retry-pause.ts';
import { PacedJob } from './paced-job.ts';

/**
 * Lets other workers know that this one is there, and takes notice of those that are not. A row
 * with a time does, rather than a lock that a session holds: behind a connection pooler a session
 * is not a worker.
 */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #job: PacedJob;
  #isKnown = false;
  #isSteady = false;
  #beatAt = -Infinity;

  constructor(options: PresenceOptions) {
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

  /** Whether it was ever heard of: what it claimed before would be freed late if it died. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Whether it may judge others: it is heard of now and has been for a while. */
  isSteady(): boolean {
    const { deadAfterMs } = this.#options;
    return this.#isSteady && performance.now() - this.#beatAt < deadAfterMs / 2;
  }

  /** Ends without a word, as if it were dead. */
  async stop(): Promise<void> {
    await this.#job.stop();
  }

  /** Ends and says so. Everything must have been given back. */
  async leave(): Promise<void> {
    await this.#job.stop();
    await removeWorker(this.#options.ctx, this.#options.owner);
  }

  async #recordHeartbeat(): Promise<void> {
    const { ctx, owner, beatMs, deadAfterMs } = this.#options;
    const beatAt = performance.now();
    const { isSteady, isUnbroken, nextChangeMs } = await recordHeartbeat(ctx, {
      owner,
      deadAfterMs,
    });
    const wasKnown = this.#isKnown;
    const wasSteady = this.#isSteady;
    this.#isKnown = true;
    this.#isSteady = isSteady;
    this.#beatAt = beatAt;
    this.#job.request(Math.min(beatMs, nextChangeMs ?? beatMs));
    if (wasKnown && !isUnbroken) this.#options.onGap();
    if (!wasKnown || isSteady !== wasSteady) this.#options.onChange();
  }
}

type PresenceOptions = {
  ctx: Pick<Context, 'db' | 'clock' | 'log'>;
  owner: string;
  beatMs: number;
  deadAfterMs: number;
  /** It was silent for long: others may have taken its lanes. */
  onGap: () => void;
  /** It is known now, or steady, or no longer. */
  onChange: () => void;
  onError: (error: unknown) => void;
};
