import { Redis } from 'ioredis';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { MemoryWindows } from './limiter-memory.ts';
import { RedisWindows } from './limiter-redis.ts';
import type { Logger } from './log.ts';
import { subscriberOf } from './networks.ts';

/** Where a caller stands in its current window. */
type LimitState = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
};

/** Counts calls in windows of 60 seconds. A window ends 60 seconds after its first call, whatever follows. */
export type Limiter = {
  /** An authenticated call; the key is `key:<id>` or `person:<id>`. */
  consume(key: string): Promise<LimitState>;
  /** A failed authentication from a client address; an IPv6 /64 counts as one. */
  consumeFailedAuthentication(address: string): Promise<LimitState>;
  /** An attempt to sign in; ask once by e-mail and once by address. */
  consumeSignIn(key: string): Promise<LimitState>;
  /** Any other act, in a bucket of its own with `points` a minute. */
  consumeNamed(bucket: string, key: string, points: number): Promise<LimitState>;
  close(): Promise<void>;
};

const signInsPerMinute = 10;

/** A limiter in Redis if there is one, else, and while Redis fails, in this process's memory. */
export function createLimiter(options: {
  config: Pick<Config, 'redisUrl' | 'rateLimitPerMinute' | 'failedAuthPerMinute'>;
  clock: Clock;
  log: Logger;
}): Limiter {
  const { config, clock, log } = options;
  const memory = new MemoryWindows({ clock });
  const redis = config.redisUrl === null ? null : openRedis(config.redisUrl);
  const shared = redis && new RedisWindows({ redis, log });

  async function consumeNamed(bucket: string, key: string, points: number): Promise<LimitState> {
    const count = (await shared?.count(bucket, key)) ?? memory.count(bucket, key);
    return {
      allowed: count.consumed <= points,
      limit: points,
      remaining: Math.max(0, points - count.consumed),
      resetSeconds: Math.max(1, Math.ceil(count.msUntilReset / 1000)),
    };
  }

  return {
    consume: (key) => consumeNamed('call', key, config.rateLimitPerMinute),
    consumeFailedAuthentication: (address) =>
      consumeNamed('failed-authentication', subscriberOf(address), config.failedAuthPerMinute),
    consumeSignIn: (key) => consumeNamed('sign-in', key, signInsPerMinute),
    consumeNamed,
    close: async () => redis?.disconnect(),
  };
}

function openRedis(url: string): Redis {
  return new Redis(url, {
    // A hung Redis must cost a call next to nothing.
    commandTimeout: 100,
    connectTimeout: 2000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  });
}
