import { Counts } from './counts.ts';
import { Turns } from './turns.ts';

export type SlotLimits<Key> = {
  /** How many slots there are in all. */
  maxConcurrent: number;
  /** The most slots that one key may have. */
  maxPerKey?: number;
  /** The most work that may wait for one key, once `sharedQueue` waits in all. */
  maxQueuedPerKey?: number | ((key: Key) => number);
  /** How much work may wait before `maxQueuedPerKey` applies; 0 by default. */
  sharedQueue?: number;
  /** The most work that may wait in all. */
  maxQueued?: number;
  /** Whether the work of a key begins before all that waits for the other keys. */
  isUrgent?: (key: Key) => boolean;
};

type Release = () => void;
type Waiting<Key> = { key: Key; begin: () => void };

/**
 * Limits how much work is in progress at a time, in all and for each key, such as an account. Work
 * of one key begins in the order in which it came. Keys with waiting work take turns, so that a key
 * with much waiting work does not delay the others.
 */
export class Slots<Key = string> {
  readonly #limits: Required<SlotLimits<Key>>;
  readonly #refuse: () => Promise<never>;
  readonly #usedBy = new Counts<Key>();
  readonly #urgent = new Turns<Key, Waiting<Key>>();
  readonly #others = new Turns<Key, Waiting<Key>>();
  #used = 0;
  #queued = 0;

  /** @param options.refuse throws the error of `run` if too much work waits */
  constructor({
    maxConcurrent,
    maxPerKey = maxConcurrent,
    maxQueuedPerKey = Infinity,
    sharedQueue = 0,
    maxQueued = Infinity,
    isUrgent = () => false,
    refuse = () => Promise.reject(new Error('the queue is full')),
  }: SlotLimits<Key> & { refuse?: () => Promise<never> }) {
    this.#limits = { maxConcurrent, maxPerKey, maxQueuedPerKey, sharedQueue, maxQueued, isUrgent };
    this.#refuse = refuse;
  }

  get used(): number {
    return this.#used;
  }

  /** Runs `work` in its turn. @throws the error of `refuse` if too much work waits */
  async run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const slot = this.acquire(key);
    const release = slot instanceof Promise ? await slot : slot;
    if (release === null) return await this.#refuse();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Returns the function that releases the slot, or a promise of it if the work has to wait.
   * Returns null if too much work waits, of this key or in all; the promise becomes null if
   * `signal` aborts while the work waits.
   */
  acquire(key: Key, signal?: AbortSignal): Release | Promise<Release | null> | null {
    if (this.hasFree(key)) return this.#begin(key);
    if (signal?.aborted) return null;
    const { maxQueuedPerKey, sharedQueue, maxQueued, isUrgent } = this.#limits;
    const queue = isUrgent(key) ? this.#urgent : this.#others;
    const maxOfKey = typeof maxQueuedPerKey === 'number' ? maxQueuedPerKey : maxQueuedPerKey(key);
    if (this.#queued >= maxQueued) return null;
    if (this.#queued >= sharedQueue && queue.countOf(key) >= maxOfKey) return null;
    const { promise, resolve } = Promise.withResolvers<Release | null>();
    const leave = () => {
      queue.delete(key, waiting);
      this.#queued -= 1;
      resolve(null);
    };
    const waiting = {
      key,
      begin: () => {
        signal?.removeEventListener('abort', leave);
        this.#queued -= 1;
        resolve(this.#begin(key));
      },
    };
    signal?.addEventListener('abort', leave, { once: true });
    queue.add(key, waiting);
    this.#queued += 1;
    return promise;
  }

  /** Whether work of this key would begin without waiting. */
  hasFree(key: Key): boolean {
    const { maxConcurrent, maxPerKey } = this.#limits;
    return this.#used < maxConcurrent && this.#usedBy.of(key) < maxPerKey;
  }

  #begin(key: Key): Release {
    this.#used += 1;
    this.#usedBy.add(key, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#used -= 1;
      this.#usedBy.add(key, -1);
      this.#beginNext();
    };
  }

  /** Gives a released slot directly to the next in line, so that new work cannot take it. */
  #beginNext(): void {
    const takeTurn = ({ key, begin }: Waiting<Key>) => {
      if (!this.hasFree(key)) return 'blocked';
      begin();
      return 'done';
    };
    if (!this.#urgent.serve(1, takeTurn)) this.#others.serve(1, takeTurn);
  }
}
