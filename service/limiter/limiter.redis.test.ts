import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLimiter } from './limiter.ts';
import type { Limiter, LimitState, LimitUse } from './limiter.ts';
import { RedisWindows } from './redis-windows.ts';
import { FakeClock } from '../testing/clock.ts';
import { TestLog } from '../testing/logger.ts';
import { hasRedisServer, startRedisCluster } from '../testing/databases/redis-cluster.ts';
import { openRedisProxy } from '../testing/databases/redis-proxy.ts';
import type { RedisProxy } from '../testing/databases/redis-proxy.ts';

const redisUrl = process.env['TEST_REDIS_URL'] ?? '';
const log = new TestLog();
let proxy: RedisProxy;
let redis: Redis;
let limiters: Limiter[];
let key: string;
let account: string;

const config = {
  rateLimitPerMinute: 3,
  accountRateLimitPerMinute: 5,
  creationsPerHour: 60,
  failedAuthPerMinute: 2,
};
const openCluster = () => {
  throw new Error('the server is not a node of a cluster');
};

beforeAll(async () => {
  proxy = await openRedisProxy(redisUrl);
  limiters = [proxy.url, redisUrl].map((url) =>
    createLimiter({
      // A slow command on a busy machine must not make the test fail.
      config: { ...config, redisUrl: url, redisTimeoutMs: 10_000 },
      clock: new FakeClock(),
      log: log.logger,
    }),
  );
  redis = new Redis(redisUrl);
  await redis.ping();
  // Until a limiter is connected to Redis, it counts by itself.
  await vi.waitUntil(isShared, { timeout: 10_000 });
});
afterAll(async () => {
  for (const limiter of limiters) await limiter.close();
  redis.disconnect();
  await proxy.close();
  log.assertNoUnexpectedErrors();
});
beforeEach(() => {
  key = `key:${randomUUID()}`;
  account = randomUUID();
});

test('processes count the calls of a key together', async () => {
  const allowed = [];
  for (let call = 0; call < 4; call += 1) {
    allowed.push(await consumeWith(limiters[call % 2], key));
  }
  expect(allowed.map((state) => state?.allowed)).toEqual([true, true, true, false]);
  expect(allowed.at(-1)?.resetSeconds).toBeGreaterThan(50);
});

describe('a call that counts for its key and its account', () => {
  test('is counted in each with one command for one key', async () => {
    const before = proxy.commands().length;
    expect(await consume(key)).toMatchObject({ remaining: 2 });
    const sent = proxy.commands().slice(before);
    expect(sent.map(([name, , ...keys]) => [name, ...keys.slice(0, 2)])).toEqual([
      ['evalsha', '1', `conversation-service:call:${key}`],
      ['evalsha', '1', `conversation-service:account-call:${account}`],
    ]);
  });

  test('takes nothing from the account if the key’s limit refuses it', async () => {
    const before = proxy.commands().length;
    await Promise.all(Array.from({ length: 20 }, () => consume(key)));
    const name = `conversation-service:account-call:${account}`;
    const counting = proxy
      .commands()
      .slice(before)
      .filter(([, , , used, size]) => used === name && size !== '0');
    expect(counting, 'not even for a moment').toHaveLength(3);
    const others = [];
    for (let call = 1; call <= 3; call += 1) others.push((await consume(`${key}:2`)).allowed);
    expect(others).toEqual([true, true, false]);
  });

  test('takes nothing from the key if the account’s limit refuses it', async () => {
    for (const other of [1, 2]) {
      for (let call = 1; call <= 3; call += 1) await consume(`${key}:${other}`);
    }
    for (let call = 1; call <= 5; call += 1) {
      expect(await consume(key)).toMatchObject({ allowed: false, name: 'account-call' });
    }
    expect(await consumeWith(limiters[0], key)).toMatchObject({ allowed: true, remaining: 2 });
  });
});

test('a window ends on time under steady traffic, including refused calls', async () => {
  const allowance = { bucket: 'second', key, size: 2, windowSeconds: 1 };
  const windows = new RedisWindows({ redis, openCluster, log: log.logger });
  const began = performance.now();
  const call = async () => (await windows.countAll([allowance]))?.allowed;
  expect([await call(), await call(), await call()]).toEqual([true, true, false]);
  await expect.poll(call, { interval: 10, timeout: 5000 }).toBe(true);
  expect(performance.now() - began).toBeGreaterThan(900);
  expect([await call(), await call()]).toEqual([true, false]);
});

test('a window whose expiry was removed gets one again', async () => {
  for (let call = 1; call <= 4; call += 1) await consume(key);
  await redis.persist(`conversation-service:call:${key}`);
  expect(await consume(key)).toMatchObject({ allowed: false, resetSeconds: 60 });
  expect(await redis.ttl(`conversation-service:call:${key}`)).toBeGreaterThan(0);
});

test('counting continues after the server has lost its scripts', async () => {
  expect(await consume(key)).toMatchObject({ remaining: 2 });
  await redis.script('FLUSH');
  expect(await consume(key)).toMatchObject({ remaining: 1 });
});

describe('with a Redis that responds after two seconds', () => {
  test('calls are counted together if that is within the timeout', async () => {
    const { limiter, own, ownLog } = await openOwn(5000);
    own.slowDown(2000);
    await consumeWith(limiters[1], key);
    expect(await consumeWith(limiter, key)).toMatchObject({ remaining: 1 });
    expect(await timed(() => consumeWith(limiter, key))).toBeGreaterThanOrEqual(1900);
    expect(ownLog.entries.filter(({ level }) => level >= 40)).toEqual([]);
    await limiter.close();
    await own.close();
  });

  test.each([1, 20])(
    'a call waits for it once, for the timeout at most, if that is beyond it: with %i calls at a time',
    async (count) => {
      const { limiter, own, ownLog } = await openOwn(800);
      own.slowDown(2000);
      const caller = async (_: unknown, index: number) => {
        const uses: LimitUse[] = [{ limit: 'failed-authentication', key: `${key}:${index}` }];
        await limiter.consume(uses);
        await consumeWith(limiter, `${key}:${index}`, account);
        await limiter.giveBack(uses);
      };
      const waited = await timed(() => Promise.all(Array.from({ length: count }, caller)));
      expect(waited).toBeGreaterThanOrEqual(790);
      expect(waited).toBeLessThan(1500);
      expect(await timed(() => consumeWith(limiter, key))).toBeLessThan(790);
      expect(ownLog.entries.filter(({ level }) => level === 40)).toHaveLength(1);
      await limiter.close();
      await own.close();
    },
  );
});

test.each<[string, (proxied: RedisProxy) => void]>([
  [
    'answers as a replica, because another server is the primary now',
    (proxied) => proxied.refuse('READONLY You cannot write against a read only replica.'),
  ],
  ['no longer answers on this connection', (proxied) => proxied.hang()],
])('limits are shared again over a new connection after the server %s', async (_, fail) => {
  const failing = await openRedisProxy(redisUrl);
  const ownLog = new TestLog();
  const client = new Redis(failing.url, {
    commandTimeout: 1000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 0,
  });
  const windows = new RedisWindows({ redis: client, openCluster, log: ownLog.logger });
  const count = async () =>
    await windows.countAll([{ bucket: 'failover', key, size: 3, windowSeconds: 60 }]);
  await once(client, 'ready');
  expect(await count()).toMatchObject({ counts: [{ consumed: 1 }] });
  fail(failing);
  expect(await count()).toBe(null);

  await once(client, 'ready');
  expect(failing.connections()).toBe(2);
  const afterPause = performance.now() + 5000;
  vi.spyOn(performance, 'now').mockReturnValue(afterPause);
  expect(await count()).toMatchObject({ counts: [{ consumed: 2 }] });
  expect(ownLog.entries.at(-1)?.msg).toBe(
    'Redis responds again, so all processes count rate limits together',
  );
  client.disconnect();
  await failing.close();
});

test('an act that is given back is given back to all processes, and its window ends at the same time', async () => {
  const use: LimitUse = { limit: 'failed-authentication', key };
  const name = `conversation-service:failed-authentication:${key}`;
  const [first, second] = limiters;
  await first?.giveBack([use]);
  expect(await redis.exists(name)).toBe(0);
  await first?.consume([use]);
  await redis.pexpire(name, 30_000);
  await second?.giveBack([use]);
  await second?.giveBack([use]);
  expect(await redis.get(name)).toBe('0');
  const state = await first?.consume([use]);
  expect(state?.remaining).toBe(1);
  expect(state?.resetSeconds).toBeLessThanOrEqual(30);
});

describe.skipIf(!hasRedisServer)('with a Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;

  beforeAll(async () => {
    cluster = await startRedisCluster();
  }, 60_000);
  afterAll(() => cluster.close());

  test('processes count together, whichever node REDIS_URL names, and a refused act counts against none of its limits', async () => {
    const ownLog = new TestLog();
    const ofNodes = cluster.urls.map((url) =>
      createLimiter({
        config: { ...config, redisUrl: url, redisTimeoutMs: 10_000 },
        clock: new FakeClock(),
        log: ownLog.logger,
      }),
    );
    const areShared = async () => {
      const probe = `key:${randomUUID()}`;
      const states = [];
      for (const limiter of ofNodes) states.push(await consumeWith(limiter, probe, probe));
      return states.map(({ remaining }) => remaining).join() === '2,1,0';
    };
    await expect.poll(areShared, { timeout: 20_000 }).toBe(true);

    // The windows of a key and its account are on different nodes.
    for (let call = 1; call <= 10; call += 1) await consumeWith(ofNodes[call % 3], key, account);
    const allowed = [];
    const left = [];
    for (const [other, limiter] of ofNodes.entries()) {
      allowed.push((await consumeWith(limiter, `${key}:${other}`, account)).allowed);
      left.push((await consumeWith(limiter, `${key}:${other}`)).remaining);
    }
    expect({ allowed, left }).toEqual({ allowed: [true, true, false], left: [1, 1, 2] });
    expect(ownLog.entries.filter(({ level }) => level >= 40)).toEqual([]);
    for (const limiter of ofNodes) await limiter.close();
  });
});

/** A limiter that counts in Redis over a proxy of its own. */
async function openOwn(redisTimeoutMs: number) {
  const own = await openRedisProxy(redisUrl);
  const ownLog = new TestLog();
  const limiter = createLimiter({
    config: { ...config, redisUrl: own.url, redisTimeoutMs },
    clock: new FakeClock(),
    log: ownLog.logger,
  });
  const isCounting = () => own.commands().some(([name]) => name === 'eval');
  await vi.waitUntil(
    async () => {
      await consumeWith(limiter, `key:${randomUUID()}`);
      return isCounting();
    },
    { timeout: 20_000 },
  );
  return { limiter, own, ownLog };
}

/** How many milliseconds it takes. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function consume(caller: string): Promise<LimitState> {
  return await consumeWith(limiters[0], caller, account);
}

async function consumeWith(
  limiter: Limiter | undefined,
  caller: string,
  callersAccount?: string,
): Promise<LimitState> {
  if (!limiter) throw new Error('no limiter');
  const uses: LimitUse[] = [{ limit: 'call', key: caller }];
  if (callersAccount !== undefined) uses.push({ limit: 'account-call', key: callersAccount });
  return await limiter.consume(uses);
}

async function isShared(): Promise<boolean> {
  const probe = `key:${randomUUID()}`;
  const remaining = [];
  for (const limiter of limiters) remaining.push((await consumeWith(limiter, probe)).remaining);
  return remaining.join() === '2,1';
}
