import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../clock.ts';
import type { AccountId } from '../../account-id.ts';
import type { ApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import type { TokenRecord } from '../store/tokens.ts';

/**
 * Two caches: from a token's digest to the stored token and its key, and from a key's id to the key
 * with its tokens.
 *
 * Every change of a key evicts it, here immediately and in other processes by NOTIFY. Entries also
 * expire after `ttlMs`, which limits how long a lost notification can matter. The result of a
 * look-up that began before an eviction is not kept, and no later call waits for it (`generation`),
 * because it may contain what the eviction removed. The caller checks expiry, grace period and
 * addresses on every request; verdicts are never cached.
 */
export class KeyCache {
  readonly #entries: LRUCache<string, { record: TokenRecord; readAt: number }>;
  readonly #keys: LRUCache<number, { found: ApiKeyWithTokens; readAt: number }>;
  /** Look-ups in progress. Further calls with the same token wait for the same look-up. */
  readonly #lookUps = new Map<string, { found: Promise<TokenRecord | null>; generation: number }>();
  readonly #digestsOfKey = new Map<number, Set<string>>();
  readonly #ttlMs: number;
  readonly #clock: Clock;
  #generation = 0;
  /** How often a token was in memory, and how often it was looked up, for the metrics. */
  readonly counts = { cached: 0, read: 0 };

  constructor(options: { ttlMs: number; clock: Clock; maxEntries?: number }) {
    this.#ttlMs = options.ttlMs;
    this.#clock = options.clock;
    // Not `max`, which would allocate space for all entries up front.
    const size = { maxSize: options.maxEntries ?? 10_000, sizeCalculation: () => 1 };
    this.#keys = new LRUCache(size);
    this.#entries = new LRUCache({
      ...size,
      dispose: ({ record }, digest) => this.#forget(record.key.id, digest),
    });
  }

  /**
   * The record for a digest, from memory or from `load`; null if no such token exists. A record in
   * memory is returned immediately, without a promise. `isKnown` tells `load` whether the token was
   * in memory, but outdated.
   */
  find(
    digest: Buffer,
    load: (isKnown: boolean) => Promise<TokenRecord | null>,
  ): TokenRecord | Promise<TokenRecord | null> {
    const name = digest.toString('latin1');
    const now = this.#clock.now().getTime();
    const held = this.#entries.get(name);
    if (held && this.#isFresh(held, now)) {
      this.counts.cached += 1;
      return held.record;
    }
    this.counts.read += 1;
    const underWay = this.#lookUps.get(name);
    if (underWay?.generation === this.#generation) return underWay.found;
    const found = this.#lookUp(name, { now, load: () => load(held !== undefined) });
    const lookUp = { found, generation: this.#generation };
    this.#lookUps.set(name, lookUp);
    return found.finally(() => {
      if (this.#lookUps.get(name) === lookUp) this.#lookUps.delete(name);
    });
  }

  /** The outdated record of a token; null if its record is still fresh, or there is none. */
  outdated(digest: Buffer): TokenRecord | null {
    const held = this.#entries.peek(digest.toString('latin1'));
    return held && !this.#isFresh(held, this.#clock.now().getTime()) ? held.record : null;
  }

  async #lookUp(
    name: string,
    { now, load }: { now: number; load: () => Promise<TokenRecord | null> },
  ): Promise<TokenRecord | null> {
    const generation = this.#generation;
    const record = await load();
    if (!record) this.#entries.delete(name);
    else if (generation === this.#generation) {
      this.#entries.set(name, { record, readAt: now });
      const digests = this.#digestsOfKey.get(record.key.id) ?? new Set();
      this.#digestsOfKey.set(record.key.id, digests.add(name));
    }
    return record;
  }

  /**
   * A key with its newest token and those that were valid when it was read, from memory or from
   * `load`. Call it only for a key that was just authenticated.
   */
  async findKey(
    apiKeyId: number,
    load: () => Promise<ApiKeyWithTokens | null>,
  ): Promise<ApiKeyWithTokens | null> {
    const now = this.#clock.now().getTime();
    const held = this.#keys.get(apiKeyId);
    if (held && this.#isFresh(held, now)) return held.found;
    const generation = this.#generation;
    const found = await load();
    if (found && generation === this.#generation) {
      this.#keys.set(apiKeyId, { found, readAt: now });
    }
    return found;
  }

  /** If an entry was read in the future, the clock was set back since, and its age is unknown. */
  #isFresh({ readAt }: { readAt: number }, now: number): boolean {
    return readAt <= now && now < readAt + this.#ttlMs;
  }

  /** Evicts a key and all its tokens. Call it after the change is committed. */
  evict(apiKeyId: number): void {
    this.#generation += 1;
    this.#keys.delete(apiKeyId);
    for (const digest of this.#digestsOfKey.get(apiKeyId) ?? []) this.#entries.delete(digest);
  }

  /** Evicts the keys of an account and their tokens. Call it after the change is committed. */
  evictAccount(accountId: AccountId): void {
    this.#generation += 1;
    for (const [name, { record }] of this.#entries.entries()) {
      if (record.key.accountId === accountId) this.#entries.delete(name);
    }
    for (const [apiKeyId, { found }] of this.#keys.entries()) {
      if (found.key.accountId === accountId) this.#keys.delete(apiKeyId);
    }
  }

  /** Forgets everything, as when notifications may have been missed. */
  clear(): void {
    this.#generation += 1;
    this.#keys.clear();
    this.#entries.clear();
  }

  #forget(apiKeyId: number, digest: string): void {
    const digests = this.#digestsOfKey.get(apiKeyId);
    digests?.delete(digest);
    if (digests?.size === 0) this.#digestsOfKey.delete(apiKeyId);
  }
}
