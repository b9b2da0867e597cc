import type { Clock } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import type { Logger } from '../../../log/log.ts';
import type { TokenRecord } from '../store/tokens.ts';
import { recordTokenUses } from '../store/token-uses.ts';
import { addCall, joinUses, useOf, writtenUse } from './pending-use.ts';
import type { PendingUse } from './pending-use.ts';

const flushIntervalMs = 10_000;

/** When, from where and by what a call was made. */
type Use = { at: Date; ip: string; userAgent: string | null };

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

  /** @returns a promise if the call has to wait until its use is written, else null */
  record({ token }: TokenRecord, caller: Omit<Use, 'at'>): Promise<void> | null {
    const use = { at: this.#clock.now(), ...caller };
    if (token.firstUsedAt === null && !this.#knownUsed.has(nameOf(token))) {
      return this.#recordFirst(token, use);
    }
    this.#keep(token, use);
    return null;
  }

  async #recordFirst(token: TokenRecord['token'], use: Use): Promise<void> {
    const underWay = this.#firstWrites.get(nameOf(token));
    if (!underWay) return await this.#writeFirst(token, use);
    await underWay;
    this.#keep(token, use);
  }

  #keep(token: TokenRecord['token'], use: Use): void {
    const pending = this.#pending.get(token.id);
    if (pending?.digest.equals(token.digest)) addCall(pending, use);
    else this.#pending.set(token.id, useOf({ tokenId: token.id, digest: token.digest, ...use }));
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
  async #writeFirst(token: TokenRecord['token'], use: Use): Promise<void> {
    const name = nameOf(token);
    const first = useOf({ tokenId: token.id, digest: token.digest, ...use });
    const write = recordTokenUses(this.#db, { uses: [writtenUse(first)], now: use.at });
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

function nameOf({ digest }: TokenRecord['token']): string {
  return digest.toString('latin1');
}
