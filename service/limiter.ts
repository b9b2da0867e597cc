import { Redis } from 'ioredis';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { MemoryWindows } from './limiter-memory.ts';
import type { Allowance, Counted } from './limiter-memory.ts';
import { RedisWindows } from './limiter-redis.ts';
import type { Logger } from './log.ts';
import { subscriberOf } from './networks.ts';

/** Where a caller stands in a window. */
export type LimitState = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
  bucket: string;
  windowSeconds: number;
};

/**
 * Counts calls in fixed windows. A window ends as long after its first call as it lasts, whatever
 * follows, so that steady traffic cannot keep it open.
 */
export type Limiter = {
  /**
   * An authenticated call; `caller` is `key:<uuid>` or `person:<id>`. With `account`, the call counts
   * against the budget of all keys of that account as well.
   */
  consume(caller: string, account?: string): Promise<LimitState>;
  /** An attempt to create a key or a webhook, by this caller in this account. */
  consumeCreation(caller: string, account: string): Promise<LimitState>;
  /** A failed authentication from a client address; an IPv6 /64 counts as one. */
  consumeFailedAuthentication(address: string): Promise<LimitState>;
  /** Any other act, in a bucket of its own with `points` a minute. */
  consumeNamed(bucket: string, key: string, points: number): Promise<LimitState>;
  /**
   * Counts one act against several allowances at once and answers how the tightest of them stands:
   * the one with the least left, of equals the one that takes longest to reset.
   *
   * What one of them refuses counts against none. A key that goes on calling beyond its own limit
   * takes nothing from the other keys of its account, and while the account's budget is used up its
   * keys keep what is left of theirs. A refused act need not count where it is refused either: the
   * window is full until it ends.
   */
  consumeAll(allowances: readonly Allowance[]): Promise<LimitState>;
  /** Takes back an act that `consumeAll` counted, where only those that fail are to count in the end. */
  giveBack(allowances: readonly Allowance[]): Promise<void>;
  close(): Promise<void>;
};

/** How long Redis may take to answer: a hung one must cost a call next to nothing. */
export const redisPatience = { commandMs: 100 };

const keysPerAccountBudget = 10;
const callersPerCreationBudget = 5;

/** A limiter in Redis if there is one, else, and while Redis fails, in this process's memory. */
export function createLimiter(options: {
  config: Pick<
    Config,
    | 'redisUrl'
    | 'rateLimitPerMinute'
    | 'accountRateLimitPerMinute'
    | 'creationsPerHour'
    | 'failedAuthPerMinute'
  >;
  clock: Clock;
  log: Logger;
}): Limiter {
  const { config, clock, log } = options;
  const memory = new MemoryWindows({ clock });
  const redis = config.redisUrl === null ? null : openRedis(config.redisUrl);
  const shared = redis && new RedisWindows({ redis, log });
  const accountPoints =
    config.accountRateLimitPerMinute ?? keysPerAccountBudget * config.rateLimitPerMinute;

  async function consumeAll(allowances: readonly Allowance[]): Promise<LimitState> {
    return tightest(
      allowances,
      (await shared?.countAll(allowances)) ?? memory.countAll(allowances),
    );
  }

  function consumeNamed(bucket: string, key: string, points: number): Promise<LimitState> {
    return consumeAll([perMinute(bucket, key, points)]);
  }

  return {
    consume: (caller, account) =>
      consumeAll([
        perMinute('call', caller, config.rateLimitPerMinute),
        ...(account === undefined ? [] : [perMinute('account-call', account, accountPoints)]),
      ]),
    consumeCreation: (caller, account) =>
      consumeAll([
        perHour('creation', caller, config.creationsPerHour),
        perHour('account-creation', account, callersPerCreationBudget * config.creationsPerHour),
      ]),
    consumeFailedAuthentication: (address) =>
      consumeNamed('failed-authentication', subscriberOf(address), config.failedAuthPerMinute),
    consumeNamed,
    consumeAll,
    async giveBack(allowances) {
      if (!(await shared?.giveBackAll(allowances))) memory.giveBackAll(allowances);
    },
    close: async () => redis?.disconnect(),
  };
}

function perMinute(bucket: string, key: string, points: number): Allowance {
  return { bucket, key, points, windowSeconds: 60 };
}

function perHour(bucket: string, key: string, points: number): Allowance {
  return { bucket, key, points, windowSeconds: 3600 };
}

function tightest(allowances: readonly Allowance[], { allowed, counts }: Counted): LimitState {
  const states = allowances.map(({ bucket, points, windowSeconds }, index) => {
    const { consumed = 0, msUntilReset = 0 } = counts[index] ?? {};
    return {
      allowed,
      limit: points,
      remaining: Math.max(0, points - consumed),
      resetSeconds: Math.max(1, Math.ceil(msUntilReset / 1000)),
      bucket,
      windowSeconds,
    };
  });
  const [first] = states.toSorted(
    (a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds,
  );
  if (first === undefined) throw new Error('a call was counted against no allowance');
  return first;
}

function openRedis(url: string): Redis {
  return new Redis(url, {
    commandTimeout: redisPatience.commandMs,
    connectTimeout: 2000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  });
}
