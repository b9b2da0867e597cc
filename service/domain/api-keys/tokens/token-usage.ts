import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import type { Logger } from '../../../log/log.ts';
import type { TokenRecord, TokenRow } from '../store/tokens.ts';
import { recordTokenUses } from '../store/token-uses.ts';
import { addCall, inGroups, mergeUses, useOf, toStoredUse } from './pending-use.ts';
import type { PendingUse } from './pending-use.ts';

const flushIntervalMs = 10_000;
/** How many tokens and addresses one statement writes. */
const maxRows = 1000;

type Use = { at: Date; ip: string; userAgent: string | null };

type Latest = Pick<PendingUse, 'digest' | 'at' | 'ip' | 'userAgent'>;

/**
 * Records when, from where and with which user agent each token was last used, and from which
 * addresses. `CallLog` counts the calls.
 *
 * The first use of a token, and its first use after it was replaced, are written before the call
 * gets its response: a rotation depends on whether a token was ever used, and people end a replaced
 * token once nothing uses it. Later uses are collected in memory by token and written every
 * 10 seconds and on stop, in one statement unless they come from very many addresses. A crash loses
 * at most the uses of those 10 seconds.
 */
export class TokenUsage {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #pending = new Map<number, PendingUse>();
  // By `nameOf`, not by id: a token that nobody used may be replaced by another with the same id.
  readonly #knownUsed = new Set<string>();
  readonly #firstWrites = new Map<string, Promise<void>>();
  /** The latest use of each token that was written, or is being written now. */
  readonly #written = new LRUCache<number, Latest>({ maxSize: 10_000, sizeCalculation: () => 1 });
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
    const mayBeFirst = token.firstUsedAt === null || token.validUntil !== null;
    if (mayBeFirst && !this.#knownUsed.has(nameOf(token))) {
      return this.#recordFirst(token, use);
    }
    this.#keep(token, use);
    return null;
  }

  async #recordFirst(token: TokenRow, use: Use): Promise<void> {
    const underWay = this.#firstWrites.get(nameOf(token));
    if (!underWay) return await this.#writeFirst(token, use);
    await underWay;
    this.#keep(token, use);
  }

  #keep(token: TokenRow, use: Use): void {
    const pending = this.#pending.get(token.id);
    if (pending?.digest.equals(token.digest)) addCall(pending, use);
    else this.#pending.set(token.id, useOf({ tokenId: token.id, digest: token.digest, ...use }));
  }

  /** A stored token, updated with the uses that this process knows and has not stored yet. */
  withLatestUse(token: TokenRow): TokenRow {
    const use = this.#pending.get(token.id) ?? this.#written.get(token.id);
    if (!use?.digest.equals(token.digest)) return token;
    const { firstUsedAt, lastUsedAt } = token;
    const isStoredLater = lastUsedAt !== null && lastUsedAt > use.at;
    // A stored use that lies in the future was stored before the clock was set back.
    if (isStoredLater && lastUsedAt <= this.#clock.now()) return token;
    return {
      ...token,
      firstUsedAt: firstUsedAt ?? use.at,
      lastUsedAt: use.at,
      lastUsedIp: use.ip,
      lastUsedAgent: use.userAgent,
    };
  }

  /** Writes pending uses, after the write in progress. If that fails, they stay for the next. */
  async flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#writePending());
    await this.#flushing;
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.flush();
  }

  /**
   * Writes a first use once for concurrent calls; all of them wait for it. Calls from before the
   * token was replaced are written with it.
   */
  async #writeFirst(token: TokenRow, use: Use): Promise<void> {
    const name = nameOf(token);
    const call = useOf({ tokenId: token.id, digest: token.digest, ...use });
    const earlier = this.#pending.get(token.id);
    this.#pending.delete(token.id);
    const first = earlier ? mergeUses(earlier, call) : call;
    const write = recordTokenUses(this.#db, { uses: [toStoredUse(first)], now: use.at });
    this.#firstWrites.set(name, write);
    try {
      await write;
      this.#written.set(token.id, latestOf(first));
      if (this.#knownUsed.size >= 10_000) this.#knownUsed.clear();
      this.#knownUsed.add(name);
    } catch (error) {
      if (earlier) this.#putBack(earlier);
      throw error;
    } finally {
      this.#firstWrites.delete(name);
    }
  }

  async #writePending(): Promise<void> {
    const groups = inGroups([...this.#pending.values()], maxRows);
    for (const use of groups.flat()) this.#written.set(use.tokenId, latestOf(use));
    this.#pending.clear();
    try {
      for (let [group] = groups; group; [group] = groups) {
        await recordTokenUses(this.#db, { uses: group.map(toStoredUse), now: this.#clock.now() });
        groups.shift();
      }
    } catch (error) {
      const uses = groups.flat();
      for (const use of uses) this.#putBack(use);
      this.#log.error({ err: error, uses: uses.length }, 'last uses of tokens not written yet');
    }
  }

  /** Keeps a use that could not be written for the next write. */
  #putBack(use: PendingUse): void {
    const since = this.#pending.get(use.tokenId);
    this.#pending.set(use.tokenId, since ? mergeUses(use, since) : use);
  }
}

/** Names a token, and another one once it is replaced: then its next use counts as its first. */
function nameOf({ digest, validUntil }: TokenRow): string {
  return `${digest.toString('latin1')} ${validUntil?.getTime() ?? ''}`;
}

function latestOf({ digest, at, ip, userAgent }: PendingUse): Latest {
  return { digest, at, ip, userAgent };
}
