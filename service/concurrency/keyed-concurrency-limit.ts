export type ConcurrencyLimits = {
  maxConcurrent: number;
  /** Of those, how many may be for one key. */
  maxPerKey?: number;
  /** How many may wait for one key. */
  maxQueuedPerKey?: number;
};

type Release = () => void;

/**
 * Limits how much work is under way at once, in all and for each key, such as an account. Work of one
 * key begins in the order in which it came. Keys for which work waits take turns, so that one for
 * which much waits holds up no other.
 */
export class KeyedConcurrencyLimit {
  readonly #limits: Required<ConcurrencyLimits>;
  readonly #refuse: () => Promise<never>;
  readonly #running = new Map<string, number>();
  /** By key, the one whose turn is next first. */
  readonly #queues = new Map<string, (() => void)[]>();
  #all = 0;

  /** @param options.refuse what `run` does where too much waits already; it throws an error */
  constructor({
    maxConcurrent,
    maxPerKey = maxConcurrent,
    maxQueuedPerKey = Infinity,
    refuse = () => Promise.reject(new Error('too much waits already')),
  }: ConcurrencyLimits & { refuse?: () => Promise<never> }) {
    this.#limits = { maxConcurrent, maxPerKey, maxQueuedPerKey };
    this.#refuse = refuse;
  }

  /** Runs `work` in its turn. @throws what `refuse` throws, if too much waits for this key already */
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

  /** A slot, once there is one, as what releases it; null if too much waits for this key already. */
  acquire(key: string): Promise<Release> | null {
    if (this.#hasRoom(key)) return Promise.resolve(this.#begin(key));
    const queue = this.#queues.get(key) ?? [];
    if (queue.length >= this.#limits.maxQueuedPerKey) return null;
    const { promise, resolve } = Promise.withResolvers<Release>();
    queue.push(() => resolve(this.#begin(key)));
    this.#queues.set(key, queue);
    return promise;
  }

  #hasRoom(key: string): boolean {
    const { maxConcurrent, maxPerKey } = this.#limits;
    return this.#all < maxConcurrent && (this.#running.get(key) ?? 0) < maxPerKey;
  }

  #begin(key: string): Release {
    this.#all += 1;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
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
    const left = (this.#running.get(key) ?? 0) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
  }

  /** Gives the slot that was released to the next in line at once, so that no newcomer takes it. */
  #beginNext(): void {
    for (const [key, queue] of this.#queues) {
      if (!this.#hasRoom(key)) continue;
      queue.shift()?.();
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
      return;
    }
  }
}
