import type { Clock } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import type { Logger } from '../../../log/log.ts';
import type { TokenRecord } from '../store/tokens.ts';
import { recordTokenUses } from '../store/token-uses.ts';
import { joinUses, useOf, writtenUse } from './pending-use.ts';
import type { PendingUse } from './pending-use.ts';

const flushIntervalMs = 10_000;

/**
 * Remembers when, from where and by what each token was last used, how many calls it made in each
 * hour, and from which addresses.
 *
 * A token's first use is written before the call is answered, since rotation asks whether a token
 * was ever used; later uses are kept in memory, together per token, and written in one statement
 * every 10 seconds and on stop. A crash loses at most that interval of them.
 */
export class TokenUsage {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #pending = new Map<number, PendingUse>();
  // By digest: a token that nobody used may be replaced by another with its id.
  readonly #knownUsed = new Set<string>();
  readonly #firstWrites = new Map<string, Promise<void>>();
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

  async record(
    { token }: TokenRecord,
    caller: { ip: string; userAgent: string | null },
  ): Promise<void> {
    const at = this.#clock.now();
    const use = useOf({ tokenId: token.id, digest: token.digest, at, ...caller });
    const name = token.digest.toString('base64');
    if (token.firstUsedAt === null && !this.#knownUsed.has(name)) {
      const underWay = this.#firstWrites.get(name);
      if (!underWay) return await this.#writeFirst(use, name);
      await underWay;
    }
    this.#pending.set(use.tokenId, joinUses(this.#pending.get(use.tokenId), use));
  }

  /** Writes what is pending, after what is being written. A failed write keeps its uses for the next one. */
  async flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#writePending());
    await this.#flushing;
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.flush();
  }

  /** Once for calls that come at the same time; all of them wait for it. */
  async #writeFirst(use: PendingUse, name: string): Promise<void> {
    const write = recordTokenUses(this.#db, { uses: [writtenUse(use)], now: use.at });
    this.#firstWrites.set(name, write);
    try {
      await write;
      if (this.#knownUsed.size >= 10_000) this.#knownUsed.clear();
      this.#knownUsed.add(name);
    } finally {
      this.#firstWrites.delete(name);
    }
  }

  async #writePending(): Promise<void> {
    const uses = [...this.#pending.values()];
    this.#pending.clear();
    try {
      await recordTokenUses(this.#db, {
        uses: uses.map(writtenUse),
        now: this.#clock.now(),
      });
    } catch (error) {
      for (const use of uses) {
        const since = this.#pending.get(use.tokenId);
        this.#pending.set(use.tokenId, since ? joinUses(use, since) : use);
      }
      this.#log.error({ err: error, uses: uses.length }, 'last uses of tokens not written yet');
    }
  }
}
