import { Counts } from './counts.ts';

export type ConcurrencyLimits = {
  maxConcurrent: number;
  /** The most work in progress for one key. */
  maxPerKey?: number;
  /** The most work that may wait for one key, once `sharedQueue` waits in all. */
  maxQueuedPerKey?: number;
  /** How much work may wait before `maxQueuedPerKey` applies; 0 by default. */
  sharedQueue?: number;
  /** The most work that may wait in all. */
  maxQueued?: number;
};

type Release = () => void;

/**
 * Limits how much work is in progress at a time, in all and for each key, such as an account. Work
 * of one key begins in the order in which it came. Keys with waiting work take turns, so that a key
 * with much waiting work does not delay the others.
 */
export class KeyedConcurrencyLimit {
  readonly #limits: Required<ConcurrencyLimits>;
  readonly #refuse: () => Promise<never>;
  readonly #running = new Counts();
  /** The waiting work of each key; the first key has the next turn. */
  readonly #queues = new Map<string, (() => void)[]>();
  #all = 0;
  #queued = 0;

  /** @param options.refuse throws the error of `run` if too much work waits */
  constructor({
    maxConcurrent,
    maxPerKey = maxConcurrent,
    maxQueuedPerKey = Infinity,
    sharedQueue = 0,
    maxQueued = Infinity,
    refuse = () => Promise.reject(new Error('the queue is full')),
  }: ConcurrencyLimits & { refuse?: () => Promise<never> }) {
    this.#limits = { maxConcurrent, maxPerKey, maxQueuedPerKey, sharedQueue, maxQueued };
    this.#refuse = refuse;
  }

  /** Runs `work` in its turn. @throws the error of `refuse` if too much work waits */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turn = this.acquire(key);
    if (turn === null) return await this.#refuse();
    const release = await turn;
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits for a slot, and returns the function that releases it; null if too much work waits, of
   * this key or in all.
   */
  acquire(key: string): Promise<Release> | null {
    if (this.#hasRoom(key)) return Promise.resolve(this.#begin(key));
    const queue = this.#queues.get(key) ?? [];
    const { maxQueuedPerKey, sharedQueue, maxQueued } = this.#limits;
    if (this.#queued >= maxQueued) return null;
    if (this.#queued >= sharedQueue && queue.length >= maxQueuedPerKey) return null;
    const { promise, resolve } = Promise.withResolvers<Release>();
    queue.push(() => resolve(this.#begin(key)));
    this.#queues.set(key, queue);
    this.#queued += 1;
    return promise;
  }

  #hasRoom(key: string): boolean {
    const { maxConcurrent, maxPerKey } = this.#limits;
    return this.#all < maxConcurrent && this.#running.of(key) < maxPerKey;
  }

  #begin(key: string): Release {
    this.#all += 1;
    this.#running.add(key, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#end(key);
      this.#beginNext();
    };
  }

  #end(key: string): void {
    this.#all -= 1;
    this.#running.add(key, -1);
  }

  /** Gives a released slot to the next in line at once, so that new work cannot take it. */
  #beginNext(): void {
    for (const [key, queue] of this.#queues) {
      if (!this.#hasRoom(key)) continue;
      queue.shift()?.();
      this.#queued -= 1;
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
      return;
    }
  }
}
