import type { Clock } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { retryPauseMs } from '../../timing/retry-pause.ts';
import type { Logger } from '../../log/log.ts';
import { wakeLaneRows } from './store/claim-lanes.ts';

/** The most lanes in one statement: the ids fit into the 8,000 bytes of a notification. */
const maxPerStatement = 500;

/**
 * How long the lanes that someone has locked are left alone, unless others are woken sooner. The
 * pause doubles as long as none of them is released: most locks last for one statement, but a step
 * of a replay or a cancellation changes thousands of deliveries under one.
 */
const lockedPauseMs = { first: 2, longest: 128 };

/** The delivery worker of this process. */
type LocalWorker = {
  /**
   * Takes the deliveries that became due for these webhooks.
   *
   * @returns the webhooks whose lanes it did not take, so that they have to be woken
   */
  queue(webhookIds: readonly number[]): readonly number[];
};

/**
 * Passes due deliveries to workers. The worker of this process comes first: it needs neither a mark
 * in the database nor a notification. Lanes that it does not take are woken: they are marked, and
 * the workers of all processes are notified. While one statement wakes lanes, further lanes
 * gather for the next one, so that a burst of events costs few statements. A lane that someone has
 * locked is tried again, and holds up no other.
 *
 * A failed wake-up is retried until the process stops. A wake-up that dies with the process does no
 * harm: the deliveries are committed, and the sweep finds them.
 */
export class LaneNotifier {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #pending = new Set<number>();
  #localWorker: LocalWorker | null = null;
  #running: Promise<void> | null = null;
  /** Ends the pause before locked lanes are tried again, if there is one. */
  #endPause: (() => void) | null = null;
  #retry: NodeJS.Timeout | null = null;

  constructor(options: { db: Db; clock: Clock; log: Logger }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** @returns a function that detaches the worker */
  attach(worker: LocalWorker): () => void {
    this.#localWorker = worker;
    return () => {
      if (this.#localWorker === worker) this.#localWorker = null;
    };
  }

  /**
   * Passes on the deliveries that became due for these webhooks. Call it after the commit of the
   * transaction that queued them: inside that transaction, publishers to a busy webhook would wait
   * for each other. Returns immediately. Errors are logged, and the sweep repairs their effects.
   */
  queue(webhookIds: readonly number[]): void {
    if (webhookIds.length > 0) this.wake(this.#localWorker?.queue(webhookIds) ?? webhookIds);
  }

  /** Makes lanes due, and notifies the workers of all processes. Returns immediately. */
  wake(webhookIds: readonly number[]): void {
    for (const id of webhookIds) this.#pending.add(id);
    if (webhookIds.length > 0) this.#endPause?.();
    if (this.#pending.size > 0 && this.#retry === null) this.#running ??= this.#wakePending();
  }

  /**
   * Resolves when all wake-ups so far are done, those of locked lanes too, or wait to be retried after
   * an error. Does not wait for the worker of this process.
   */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #wakePending(): Promise<void> {
    const locked = new Set<number>();
    let pauseMs = lockedPauseMs.first;
    while (this.#pending.size + locked.size > 0) {
      const webhookIds = [...new Set([...this.#pending, ...locked])].slice(0, maxPerStatement);
      for (const id of webhookIds) {
        this.#pending.delete(id);
        locked.delete(id);
      }
      try {
        const skipped = await wakeLaneRows(this.#db, { webhookIds, now: this.#clock.now() });
        for (const id of skipped) locked.add(id);
        if (skipped.length < webhookIds.length) pauseMs = lockedPauseMs.first;
      } catch (error) {
        this.#log.warn(
          { err: error, lanes: webhookIds.length },
          'failed to notify workers, retrying',
        );
        this.#tryAgain([...webhookIds, ...locked]);
        break;
      }
      if (locked.size > 0 && this.#pending.size === 0) {
        await this.#pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, lockedPauseMs.longest);
      }
    }
    this.#running = null;
  }

  /** Waits before locked lanes are tried again, unless others are woken sooner. */
  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = null;
  }

  #tryAgain(webhookIds: readonly number[]): void {
    for (const id of webhookIds) this.#pending.add(id);
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.wake([]);
    }, retryPauseMs()).unref();
  }
}
