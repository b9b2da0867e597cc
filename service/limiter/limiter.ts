import type { Clock } from '../clock.ts';
import type { Config } from '../config/load-config.ts';
import type { Logger } from '../log/log.ts';
import { noMetrics } from '../metrics.ts';
import type { CallMetrics } from '../metrics.ts';
import { limitOf } from './limits.ts';
import type { LimitConfig, LimitName } from './limits.ts';
import { MemoryWindows } from './memory-windows.ts';
import type { Allowance, Counted } from './memory-windows.ts';
import { RedisWindows } from './redis-windows.ts';

/** The state of a window for a caller. */
export type LimitState = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
  name: LimitName;
  windowSeconds: number;
};

/** One use of a limit: its name, and the key that it counts for. */
export type LimitUse = {
  limit: LimitName;
  key: string;
  /** The client address, if clients can invent keys; see `MemoryWindows`. */
  from?: string;
  /** The limit for this use, if it differs from the limit's size. */
  size?: number;
};

/**
 * Counts calls in fixed windows. The first call begins a window, which ends after a fixed time, so
 * that steady traffic cannot keep it open. `limits.ts` lists the limits.
 */
export type Limiter = {
  /**
   * Counts one act against several limits together and returns the state of the tightest of them:
   * the one with the least left; of equals, the one that takes longest to reset.
   *
   * An act that one limit refuses counts against none of them. So a key that continues to call
   * beyond its own limit takes nothing from the other keys of its account, and while the account's
   * budget is used up, its keys keep what is left of theirs. A refused act need not count against
   * the limit that refused it either: that window stays full until it ends.
   */
  consume(uses: readonly LimitUse[]): Promise<LimitState>;
  /** Takes back an act that `consume` counted, for limits that count only failed acts. */
  giveBack(uses: readonly LimitUse[]): Promise<void>;
  close(): Promise<void>;
};

/** An allowance whose bucket is the name of its limit. */
type LimitAllowance = Allowance & { bucket: LimitName };

/** A limiter in Redis. Without Redis, or while it fails, it counts in this process. */
export function createLimiter(options: {
  config: LimitConfig & RedisConfig;
  clock: Clock;
  log: Logger;
  metrics?: Pick<CallMetrics, 'countRefusal'>;
}): Limiter {
  const { config, clock, log, metrics = noMetrics } = options;
  const memory = new MemoryWindows({ clock });
  let shared: RedisWindows | null = null;
  const opened = openRedis(config, log);
  void opened.then((windows) => (shared = windows));

  function allowanceOf({ limit, key, from, size: ownSize }: LimitUse): LimitAllowance {
    const { windowSeconds, size } = limitOf(limit);
    return { bucket: limit, key, from, size: ownSize ?? size(config), windowSeconds };
  }

  return {
    async consume(uses) {
      const allowances = uses.map(allowanceOf);
      const state = tightest((await shared?.countAll(allowances)) ?? memory.countAll(allowances));
      if (!state.allowed) metrics.countRefusal(state.name);
      return state;
    },
    async giveBack(uses) {
      const allowances = uses.map(allowanceOf);
      if (!(await shared?.giveBackAll(allowances))) memory.giveBackAll(allowances);
    },
    async close() {
      (await opened)?.close();
    },
  };
}

function tightest({ allowed, counts }: Counted<LimitAllowance>): LimitState {
  let found: LimitState | null = null;
  for (const { allowance, consumed, msUntilReset } of counts) {
    const { bucket: name, size: limit, windowSeconds } = allowance;
    const remaining = Math.max(0, limit - consumed);
    const resetSeconds = Math.max(1, Math.ceil(msUntilReset / 1000));
    if (found === null || isTighter({ remaining, resetSeconds }, found)) {
      found = { allowed, limit, remaining, resetSeconds, name, windowSeconds };
    }
  }
  if (found === null) throw new Error('no limit was given to count against');
  return found;
}

type Tightness = Pick<LimitState, 'remaining' | 'resetSeconds'>;

function isTighter(a: Tightness, b: Tightness): boolean {
  if (a.remaining !== b.remaining) return a.remaining < b.remaining;
  return a.resetSeconds > b.resetSeconds;
}

/** How long a connection may take to open, and how long to wait between two tries. */
const connectTimeoutMs = 2000;
const reconnectStepMs = 200;
const maxReconnectMs = 5000;

const retryStrategy = (attempt: number) => Math.min(attempt * reconnectStepMs, maxReconnectMs);

type RedisConfig = Pick<Config, 'redisUrl' | 'redisTimeoutMs'>;

/** The client is loaded only if there is a Redis. */
async function openRedis(
  { redisUrl, redisTimeoutMs }: RedisConfig,
  log: Logger,
): Promise<RedisWindows | null> {
  if (redisUrl === null) return null;
  const { Cluster: ClusterClient, Redis: Client } = await import('ioredis');
  const options = {
    commandTimeout: redisTimeoutMs,
    connectTimeout: connectTimeoutMs,
    maxRetriesPerRequest: 0,
  };
  const redis = new Client(redisUrl, { ...options, enableOfflineQueue: false, retryStrategy });
  return new RedisWindows({
    redis,
    log,
    openCluster() {
      const { username = '', password = '', tls } = redis.options;
      return new ClusterClient([redisUrl], {
        enableOfflineQueue: false,
        clusterRetryStrategy: retryStrategy,
        // Otherwise nodes are called by their addresses, which their certificates do not name.
        dnsLookup: (name, found) => found(null, name),
        redisOptions: {
          ...options,
          ...(username && { username }),
          ...(password && { password }),
          ...(tls && { tls }),
        },
      });
    },
  });
}
