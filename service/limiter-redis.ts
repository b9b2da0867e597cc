import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { WindowCount } from './limiter-memory.ts';
import type { Logger } from './log.ts';

const pauseMs = 5000;

/**
 * Fixed windows that all processes share.
 *
 * After a failure Redis is left alone for some seconds, so that a hung one delays one call now and
 * then rather than each; the caller counts elsewhere meanwhile. Said once per outage.
 */
export class RedisWindows {
  readonly #log: Logger;
  readonly #limiter: RateLimiterRedis;
  #pausedUntil = 0;
  #isDown = false;

  constructor(options: { redis: Redis; log: Logger }) {
    this.#log = options.log;
    // Without a listener a lost connection would end the process; `count` meets it anyway.
    options.redis.on('error', (error: Error) => this.#fail(error));
    this.#limiter = new RateLimiterRedis({
      storeClient: options.redis,
      keyPrefix: 'conversation-service',
      // Limits are the caller's business; this only counts.
      points: Number.MAX_SAFE_INTEGER,
      duration: 60,
      rejectIfRedisNotReady: true,
    });
  }

  /** Null while Redis cannot be asked. */
  async count(bucket: string, key: string): Promise<WindowCount | null> {
    // The process's own clock: this is about waiting, not about what time it is.
    if (performance.now() < this.#pausedUntil) return null;
    try {
      const count = await this.#limiter.consume(`${bucket}:${key}`);
      this.#recover();
      return { consumed: count.consumedPoints, msUntilReset: count.msBeforeNext };
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        return { consumed: error.consumedPoints, msUntilReset: error.msBeforeNext };
      }
      this.#fail(error);
      return null;
    }
  }

  #fail(error: unknown): void {
    this.#pausedUntil = performance.now() + pauseMs;
    if (this.#isDown) return;
    this.#isDown = true;
    this.#log.warn({ err: error }, 'rate limits are counted per process: Redis does not answer');
  }

  #recover(): void {
    if (!this.#isDown) return;
    this.#isDown = false;
    this.#log.info('rate limits are shared again: Redis answers');
  }
}
