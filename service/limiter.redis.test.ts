import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLimiter } from './limiter.ts';
import type { Limiter } from './limiter.ts';
import { FakeClock } from './testing/clock.ts';
import { TestLog } from './testing/logger.ts';

const redisUrl = process.env['TEST_REDIS_URL'] ?? '';
const log = new TestLog();
let limiters: Limiter[];
beforeAll(async () => {
  const config = { redisUrl, rateLimitPerMinute: 3, failedAuthPerMinute: 2 };
  limiters = [1, 2].map(() => createLimiter({ config, clock: new FakeClock(), log: log.logger }));
  const redis = new Redis(redisUrl);
  await redis.ping();
  redis.disconnect();
  // Until its connection stands, each counts for itself.
  await vi.waitUntil(isShared, { timeout: 10_000 });
});
afterAll(async () => {
  for (const limiter of limiters) await limiter.close();
  log.assertNoUnexpectedErrors();
});

test('processes share a key’s points', async () => {
  const key = `key:${randomUUID()}`;
  const allowed = [];
  for (let call = 0; call < 4; call += 1) {
    allowed.push(await limiters[call % 2]?.consume(key));
  }
  expect(allowed.map((state) => state?.allowed)).toEqual([true, true, true, false]);
  expect(allowed.at(-1)?.resetSeconds).toBeGreaterThan(50);
});

async function isShared(): Promise<boolean> {
  const key = `key:${randomUUID()}`;
  const remaining = [];
  for (const limiter of limiters) remaining.push((await limiter.consume(key)).remaining);
  return remaining.join() === '2,1';
}
