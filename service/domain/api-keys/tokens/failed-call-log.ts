import type { Clock } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import type { Logger } from '../../../log/log.ts';
import {
  deleteFailedCallsBeyond,
  maxFailedCalls,
  recordFailedCalls,
} from '../store/failed-calls.ts';
import type { FailedCallCount, FailedCallRow } from '../store/failed-calls.ts';
import { startOfHour } from './pending-use.ts';

const flushIntervalMs = 10_000;

/** How many calls of all keys wait to be written. Beyond that, calls are counted only. */
const maxPending = 10_000;

/** The calls and counts of a key that are not yet written. */
type Pending = { calls: FailedCallRow[]; counts: Map<string, FailedCallCount> };

/**
 * Records the refused and failed calls of keys, so that people can see why a client gets no
 * successful response. They are collected in memory and written every 10 seconds and on stop; of
 * each key, the newest 1,000 are kept. A successful call costs nothing. A crash, or a failed write,
 * loses those of 10 seconds.
 */
export class FailedCallLog {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Logger;
  #pending = new Map<number, Pending>();
  #size = 0;
  #flushing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: { db: Db; clock: Clock; log: Logger }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), flushIntervalMs);
  }

  record(failed: Omit<FailedCallRow, 'at'>): void {
    const call = { ...failed, at: this.#clock.now() };
    const pending: Pending = this.#pending.get(call.apiKeyId) ?? { calls: [], counts: new Map() };
    this.#pending.set(call.apiKeyId, pending);
    count(pending.counts, call);
    if (pending.calls.length >= maxFailedCalls) pending.calls.shift();
    else if (this.#size >= maxPending) return;
    else this.#size += 1;
    pending.calls.push(call);
  }

  /** Writes what is pending, after the write in progress. */
  async flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#writePending());
    await this.#flushing;
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.flush();
  }

  async #writePending(): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    this.#size = 0;
    try {
      for (const [apiKeyId, { calls, counts }] of pending) {
        const [newest] = counts.values();
        if (!newest) continue;
        await recordFailedCalls(this.#db, { calls, counts: [...counts.values()] });
        await deleteFailedCallsBeyond(this.#db, { accountId: newest.accountId, apiKeyId });
      }
    } catch (error) {
      this.#log.error({ err: error, keys: pending.size }, 'failed calls of keys were not written');
    }
  }
}

function count(counts: Pending['counts'], call: FailedCallRow): void {
  const { accountId, apiKeyId, reason, at: lastAt, address: lastAddress } = call;
  const hour = startOfHour(lastAt);
  const name = `${reason} ${hour.getTime()}`;
  const calls = (counts.get(name)?.calls ?? 0) + 1;
  counts.set(name, { accountId, apiKeyId, reason, hour, calls, lastAt, lastAddress });
}
