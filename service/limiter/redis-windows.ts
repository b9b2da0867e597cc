import type { Cluster, Redis } from 'ioredis';
import { ThrottledFailures } from '#lib/failures/throttled-failures.ts';
import type { Allowance, Counted } from './memory-windows.ts';
import type { Logger } from '../log/log.ts';

/** How long Redis is not used after a command failed. */
const pauseMs = 5000;
/** Other programs may use the same Redis. */
const keyPrefix = 'conversation-service';

/**
 * Fixed windows that all processes share. Each script uses one key, so a Redis Cluster spreads them
 * over its nodes.
 *
 * After a failed command Redis is not used for five seconds, so that a Redis that hangs delays a
 * call occasionally rather than every call. Its connection is replaced, because after a failover it
 * may lead to a server that is a replica now, or that is gone without having closed it. During
 * that time, and while there is no connection, the caller counts elsewhere. Each kind of failure is logged once a
 * minute while it lasts.
 *
 * If the server is a node of a Redis Cluster, and another node has the windows, the client of a cluster
 * replaces that of a server.
 */
export class RedisWindows {
  readonly #log: Logger;
  readonly #openCluster: () => Cluster;
  readonly #failures = new ThrottledFailures();
  #redis: CountingRedis;
  #pausedUntil = 0;

  constructor(options: { redis: Redis; openCluster: () => Cluster; log: Logger }) {
    this.#log = options.log;
    this.#openCluster = options.openCluster;
    this.#redis = this.#prepare(options.redis);
  }

  #prepare(redis: Redis | Cluster): CountingRedis {
    // Without a listener a lost connection would end the process.
    redis.on('error', (error: Error) => this.#warn(error));
    redis.defineCommand('count', { numberOfKeys: 1, lua: countScript });
    redis.defineCommand('giveBack', { numberOfKeys: 1, lua: giveBackScript });
    return redis as CountingRedis;
  }

  close(): void {
    this.#redis.disconnect();
  }

  /**
   * Counts a call in all of these windows, or in none of them if one is full. Null while Redis
   * cannot be used.
   *
   * It counts in one after the other, so that a key that continues to call beyond its own limit never
   * counts for its account, not even for a moment. A window after a full one is only read, and those
   * before it get the call back.
   */
  async countAll<Of extends Allowance>(allowances: readonly Of[]): Promise<Counted<Of> | null> {
    return await this.#run(async (redis) => {
      const counts: Counted<Of>['counts'] = [];
      let isFull = false;
      for (const allowance of allowances) {
        const size = isFull ? 0 : allowance.size;
        const ms = allowance.windowSeconds * 1000;
        const reply = await redis.count(nameOf(allowance), size, ms);
        const [isCounted, consumed, msUntilReset] = readReply(reply);
        counts.push({ allowance, consumed, msUntilReset });
        if (isCounted || isFull) continue;
        isFull = true;
        for (const before of counts.slice(0, -1)) {
          await redis.giveBack(nameOf(before.allowance));
          before.consumed -= 1;
        }
      }
      return { allowed: !isFull, counts };
    });
  }

  /** Removes one call from each of these windows. Null while Redis cannot be used. */
  async giveBackAll(allowances: readonly Allowance[]): Promise<boolean | null> {
    return await this.#run(async (redis) => {
      await Promise.all(allowances.map((allowance) => redis.giveBack(nameOf(allowance))));
      return true;
    });
  }

  async #run<Result>(command: (redis: CountingRedis) => Promise<Result>): Promise<Result | null> {
    // Without a connection a check costs nothing, so there is no pause once there is one.
    const redis = this.#redis;
    if (redis.status !== 'ready') return null;
    // Monotonic time of this process, because this measures a pause rather than the time of day.
    if (performance.now() < this.#pausedUntil) return null;
    try {
      const result = await command(redis);
      this.#recover();
      return result;
    } catch (error) {
      if (redis !== this.#redis) return null;
      if (isMoved(error)) {
        redis.disconnect();
        this.#redis = this.#prepare(this.#openCluster());
        return null;
      }
      // The commands that fail together with the first one say nothing about a new connection.
      const isFirst = performance.now() >= this.#pausedUntil;
      this.#pausedUntil = performance.now() + pauseMs;
      this.#warn(error);
      if (isFirst) redis.disconnect(true);
      return null;
    }
  }

  #warn(error: unknown): void {
    if (this.#failures.note(error) === null) return;
    this.#log.warn(
      { err: error },
      `Redis failed (${reasonOf(error)}), so each process counts rate limits for itself. Check that Redis runs, the host, port and password in REDIS_URL, and whether it needs longer than REDIS_TIMEOUT_MS.`,
    );
  }

  #recover(): void {
    if (!this.#failures.end()) return;
    this.#log.info('Redis responds again, so all processes count rate limits together');
  }
}

/** Whether the server is a node of a cluster, and another node has the windows. */
function isMoved(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('MOVED ');
}

/** What the client reports, or what is behind an error that says only that it gave up. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'MaxRetriesPerRequestError') return 'The connection was lost';
  if ('lastNodeError' in error && error.lastNodeError) return reasonOf(error.lastNodeError);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** The client with the constructor's commands. It sends each script once per connection. */
type CountingRedis = (Redis | Cluster) & {
  count(key: string, size: number, windowMs: number): Promise<unknown>;
  giveBack(key: string): Promise<unknown>;
};

function nameOf({ bucket, key }: Allowance): string {
  return `${keyPrefix}:${bucket}:${key}`;
}

/**
 * Counts a call in the window unless it is full. ARGV has its size and milliseconds. The reply is 1
 * if the call was counted, else 0, followed by the count and the remaining milliseconds of the
 * window. A window without an expiry, because it is new or because its expiry was removed, gets
 * one.
 */
const countScript = `
local count = tonumber(redis.call('GET', KEYS[1]) or 0)
local counted = 0
if count < tonumber(ARGV[1]) then
  counted = 1
  count = redis.call('INCR', KEYS[1])
end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { counted, count, left }`;

/** A window that has ended in the meantime is not created again, and no count goes below zero. */
const giveBackScript = `
if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end
return 1`;

function readReply(reply: unknown): [isCounted: boolean, consumed: number, msUntilReset: number] {
  if (!Array.isArray(reply) || reply.length !== 3 || !reply.every(Number.isSafeInteger)) {
    throw new Error('Redis did not reply with the count it was asked for');
  }
  const [counted, consumed, msUntilReset] = reply as [number, number, number];
  return [counted === 1, consumed, msUntilReset];
}
