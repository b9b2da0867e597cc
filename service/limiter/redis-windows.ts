import type { Cluster, Redis } from 'ioredis';
import { LastingFailures } from '#lib/failures/lasting-failures.ts';
import type { Allowance, Counted } from './memory-windows.ts';
import type { Logger } from '../log/log.ts';

/** How long Redis is not used after a command failed. */
const pauseMs = 5000;
/**
 * Other programs may use the same Redis. The braces let a Redis Cluster keep all windows on one node: a
 * script may use those of one node only.
 */
const keyPrefix = '{conversation-service}';

/**
 * Fixed windows that all processes share.
 *
 * After a failed command Redis is not used for five seconds, so that a Redis that hangs delays a
 * call occasionally rather than every call. Its connection is replaced, because after a failover it
 * may lead to a server that is a replica now, or that is gone without having closed it. Meanwhile,
 * and while there is no connection, the caller counts elsewhere. Each kind of failure is logged once a
 * minute while it lasts.
 *
 * If the server is a node of a Redis Cluster, and another node has the windows, the client of a cluster
 * replaces that of a server.
 */
export class RedisWindows {
  readonly #log: Logger;
  readonly #openCluster: () => Cluster;
  readonly #failures = new LastingFailures();
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
    redis.defineCommand('countAll', { lua: countAllScript });
    redis.defineCommand('giveBackAll', { lua: giveBackAllScript });
    return redis as CountingRedis;
  }

  close(): void {
    this.#redis.disconnect();
  }

  /**
   * Counts a call in all of these windows, or in none of them if one is full, in one round trip.
   * Null while Redis cannot be used.
   */
  async countAll<Of extends Allowance>(allowances: readonly Of[]): Promise<Counted<Of> | null> {
    return await this.#run(async (redis) => {
      const reply = await redis.countAll(
        allowances.length,
        ...allowances.map(nameOf),
        ...allowances.flatMap(({ size, windowSeconds }) => [size, windowSeconds * 1000]),
      );
      return readReply(reply, allowances);
    });
  }

  /** Removes one call from each of these windows. Null while Redis cannot be used. */
  async giveBackAll(allowances: readonly Allowance[]): Promise<boolean | null> {
    return await this.#run(async (redis) => {
      await redis.giveBackAll(allowances.length, ...allowances.map(nameOf));
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

/**
 * The client with the commands that the constructor defines. It sends each script once per
 * connection.
 */
type CountingRedis = (Redis | Cluster) & {
  countAll(numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  giveBackAll(numberOfKeys: number, ...keys: string[]): Promise<unknown>;
};

function nameOf({ bucket, key }: Allowance): string {
  return `${keyPrefix}:${bucket}:${key}`;
}

/**
 * A script is needed because a pipeline would count in the first window before it knows that the
 * second is full. KEYS are the windows; ARGV has the size and milliseconds of each. The reply is
 * 1 if the call was counted, else 0, followed by the count and the remaining milliseconds of each
 * window. A window without an expiry, because it is new or because its expiry was removed, gets
 * one.
 */
const countAllScript = `
local reply = { 1 }
for i, key in ipairs(KEYS) do
  reply[2 * i] = tonumber(redis.call('GET', key) or 0)
  if reply[2 * i] >= tonumber(ARGV[2 * i - 1]) then reply[1] = 0 end
end
for i, key in ipairs(KEYS) do
  if reply[1] == 1 then reply[2 * i] = redis.call('INCR', key) end
  reply[2 * i + 1] = redis.call('PTTL', key)
  if reply[2 * i + 1] < 0 then
    reply[2 * i + 1] = tonumber(ARGV[2 * i])
    redis.call('PEXPIRE', key, ARGV[2 * i])
  end
end
return reply`;

/** A window that has ended in the meantime is not created again, and no count goes below zero. */
const giveBackAllScript = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or 0) > 0 then redis.call('DECR', key) end
end
return 1`;

function readReply<Of extends Allowance>(reply: unknown, allowances: readonly Of[]): Counted<Of> {
  const isExpected =
    Array.isArray(reply) &&
    reply.length === 1 + 2 * allowances.length &&
    reply.every(Number.isSafeInteger);
  if (!isExpected) throw new Error('Redis did not reply with the counts it was asked for');
  const [allowed, ...numbers] = reply as number[];
  const counts = allowances.map((allowance, index) => ({
    allowance,
    consumed: numbers[2 * index] ?? 0,
    msUntilReset: numbers[2 * index + 1] ?? 0,
  }));
  return { allowed: allowed === 1, counts };
}
