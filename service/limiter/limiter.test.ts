import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { createLimiter } from './limiter.ts';
import { MemoryWindows } from './memory-windows.ts';
import type { Limiter, LimitState, LimitUse } from './limiter.ts';
import { keyCallsPerMinute } from './limits.ts';
import type { LimitConfig } from './limits.ts';
import { FakeClock } from '../testing/clock.ts';
import { TestLog } from '../testing/logger.ts';

const unused = { creationsPerHour: 60, failedAuthPerMinute: 2 };

let clock: FakeClock;
let log: TestLog;
let limiter: Limiter;

function open(redisUrl: string | null = null, changes: Partial<LimitConfig> = {}): Limiter {
  const config = {
    redisUrl,
    redisTimeoutMs: 250,
    rateLimitPerMinute: 3,
    accountRateLimitPerMinute: null,
    creationsPerHour: 60,
    failedAuthPerMinute: 2,
    ...changes,
  };
  return createLimiter({ config, clock, log: log.logger });
}

async function consumeCall(key: string, account?: string): Promise<LimitState> {
  const uses: LimitUse[] = [{ limit: 'call', key }];
  if (account !== undefined) uses.push({ limit: 'account-call', key: account });
  return await limiter.consume(uses);
}

async function create(key: string): Promise<LimitState> {
  return await limiter.consume([
    { limit: 'creation', key },
    { limit: 'account-creation', key: 'account:1' },
  ]);
}

beforeEach(() => {
  clock = new FakeClock();
  log = new TestLog();
  limiter = open();
});
afterEach(() => limiter.close());

describe('in memory', () => {
  test('a use can have its own size instead of that of its limit', async () => {
    const use: LimitUse = { limit: 'call', key: 'key:own', size: 1 };
    expect(await limiter.consume([use])).toMatchObject({ allowed: true, limit: 1, remaining: 0 });
    expect(await limiter.consume([use])).toMatchObject({ allowed: false, limit: 1 });
    expect(await limiter.consume([{ ...use, size: 5 }])).toMatchObject({ allowed: true, limit: 5 });
  });

  test('a key’s own limit is capped by an account limit that was lowered later', () => {
    const config = { rateLimitPerMinute: 3, accountRateLimitPerMinute: 8, ...unused };
    expect(keyCallsPerMinute(config, 6)).toBe(6);
    expect(keyCallsPerMinute({ ...config, accountRateLimitPerMinute: 4 }, 6)).toBe(4);
    expect(keyCallsPerMinute(config, null)).toBe(3);
  });

  test('the calls of a key are counted down, and refused beyond the limit', async () => {
    const calls = [];
    for (let call = 1; call <= 4; call += 1) {
      calls.push(await consumeCall('key:1'));
      clock.advance(1000);
    }
    expect(calls).toMatchObject([
      { allowed: true, limit: 3, remaining: 2, resetSeconds: 60 },
      { allowed: true, limit: 3, remaining: 1, resetSeconds: 59 },
      { allowed: true, limit: 3, remaining: 0, resetSeconds: 58 },
      { allowed: false, limit: 3, remaining: 0, resetSeconds: 57 },
    ]);
  });

  test('the window resets after 60 seconds under steady traffic, including refused calls', async () => {
    const allowed = [];
    for (let second = 0; second < 180; second += 10) {
      allowed.push((await consumeCall('key:1')).allowed);
      clock.advance(10_000);
    }
    const window = [true, true, true, false, false, false];
    expect(allowed).toEqual([...window, ...window, ...window]);
  });

  test('a window lasts no longer even if the clock goes back', async () => {
    for (let call = 0; call < 4; call += 1) await consumeCall('key:1');
    clock.advance(-hourMs);
    expect(await consumeCall('key:1')).toMatchObject({ allowed: true, remaining: 2 });
  });

  test('the remaining time of a window is at least one second', async () => {
    await consumeCall('key:1');
    clock.advance(59_999);
    expect(await consumeCall('key:1')).toMatchObject({ resetSeconds: 1 });
    clock.advance(1);
    expect(await consumeCall('key:1')).toMatchObject({ resetSeconds: 60, remaining: 2 });
  });

  test('each key is counted separately, and so is each bucket', async () => {
    for (let call = 1; call <= 4; call += 1) await consumeCall('key:1');
    expect(await consumeCall('key:2')).toMatchObject({ allowed: true });
    expect(await consumeCall('person:1')).toMatchObject({ allowed: true });
    const other: LimitUse[] = [{ limit: 'failed-authentication', key: 'key:1' }];
    expect(await limiter.consume(other)).toMatchObject({ allowed: true, remaining: 1 });
  });

  describe('a call that counts for its key and its account', () => {
    const budget = 30;

    test('shows the tighter of the two limits; of equals, the one that takes longer to reset', async () => {
      for (let key = 1; key <= 9; key += 1) {
        for (let call = 1; call <= 3; call += 1) await consumeCall(`key:${key}`, 'account:1');
      }
      clock.advance(30_000);
      expect(await consumeCall('key:10', 'account:1')).toEqual({
        allowed: true,
        limit: 3,
        remaining: 2,
        resetSeconds: 60,
        name: 'call',
        windowSeconds: 60,
      });
      expect(await consumeCall('key:11', 'account:1')).toEqual({
        allowed: true,
        limit: budget,
        remaining: 1,
        resetSeconds: 30,
        name: 'account-call',
        windowSeconds: 60,
      });
      expect(await consumeCall('key:12', 'account:2')).toMatchObject({ name: 'call' });
    });

    test('takes nothing from the account if the key’s limit refuses it', async () => {
      for (let call = 1; call <= 100; call += 1) await consumeCall('key:1', 'account:1');
      const left = [];
      for (let key = 2; key <= 20; key += 1) {
        for (let call = 1; call <= 2; call += 1) {
          left.push((await consumeCall(`key:${key}`, 'account:1')).allowed);
        }
      }
      expect(left.filter(Boolean)).toHaveLength(budget - 3);
    });

    test('takes nothing from the key if the account’s limit refuses it', async () => {
      for (let key = 1; key <= 10; key += 1) {
        for (let call = 1; call <= 3; call += 1) await consumeCall(`key:${key}`, 'account:1');
      }
      clock.advance(59_000);
      for (let call = 1; call <= 5; call += 1) {
        expect(await consumeCall('key:11', 'account:1')).toMatchObject({
          allowed: false,
          remaining: 0,
          resetSeconds: 1,
        });
      }
      clock.advance(1000);
      expect(await consumeCall('key:11', 'account:1')).toMatchObject({
        allowed: true,
        remaining: 2,
        resetSeconds: 60,
      });
    });

    test('is accepted again when the account’s window ends, however many calls were refused before', async () => {
      const allowed = [];
      for (let second = 0; second < 180; second += 1) {
        const calls = await Promise.all([1, 2].map((n) => consumeCall(`key:${second}${n}`, 'a')));
        allowed.push(...calls.map((state) => state.allowed));
        clock.advance(1000);
      }
      const window = Array.from({ length: 120 }, (_, index) => index < budget);
      expect(allowed).toEqual([...window, ...window, ...window]);
    });
  });

  test('an act counts against all of its limits or none, each with its own window', async () => {
    const uses: LimitUse[] = [
      { limit: 'creation', key: 'key:1' },
      { limit: 'call', key: 'key:1' },
    ];
    const act = async () => {
      const { allowed, name, resetSeconds } = await limiter.consume(uses);
      return [allowed, name, resetSeconds];
    };
    await limiter.close();
    limiter = open(null, { creationsPerHour: 2, rateLimitPerMinute: 1 });
    expect(await act()).toEqual([true, 'call', 60]);
    expect(await act()).toEqual([false, 'call', 60]);
    clock.advance(60_000);
    expect(await act()).toEqual([true, 'creation', 3540]);
    clock.advance(60_000);
    expect(await act()).toEqual([false, 'creation', 3480]);
    clock.advance(3_480_000);
    expect(await act()).toEqual([true, 'call', 60]);
  });

  test('a caller may create 60 things in an hour, and an account 300', async () => {
    const allowed = [];
    for (let caller = 1; caller <= 6; caller += 1) {
      for (let made = 1; made <= 70; made += 1) {
        const state = await create(`key:${caller}`);
        if (state.allowed) allowed.push(caller);
      }
    }
    expect([...Map.groupBy(allowed, String)].map(([, made]) => made.length)).toEqual([
      60, 60, 60, 60, 60,
    ]);
    clock.advance(3_599_000);
    expect(await create('key:7')).toMatchObject({
      allowed: false,
      name: 'account-creation',
      limit: 300,
      resetSeconds: 1,
    });
    clock.advance(1000);
    expect(await create('key:1')).toMatchObject({ allowed: true });
  });

  test('an act that is given back does not count', async () => {
    const one: LimitUse = { limit: 'failed-authentication', key: 'ida' };
    const uses: LimitUse[] = [one, { limit: 'webhook-test', key: 'ida' }];
    await limiter.giveBack(uses);
    for (let act = 1; act <= 5; act += 1) {
      expect(await limiter.consume(uses)).toMatchObject({ allowed: true, remaining: 1 });
      await limiter.giveBack(uses);
    }
    clock.advance(30_000);
    await limiter.consume(uses);
    await limiter.giveBack([one]);
    expect(await limiter.consume([one])).toMatchObject({ remaining: 1, resetSeconds: 30 });
    expect(await limiter.consume(uses)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.consume(uses)).toMatchObject({ allowed: false });
  });

  test('a window takes memory when a call comes, not in advance', () => {
    const windows = new MemoryWindows({ clock });
    const before = usedBytes();
    for (let bucket = 0; bucket < 100; bucket += 1) {
      windows.countAll([{ bucket: `${bucket}`, key: 'key', size: 1, windowSeconds: 60 }]);
    }
    expect(usedBytes() - before).toBeLessThan(10e6);
  });

  test('a flood of invented addresses removes no window; in the meantime each network shares one', () => {
    const windows = new MemoryWindows({ clock, maxPerTable: 3 });
    const count = (from: string, bucket = 'failed') =>
      windows.countAll([{ bucket, key: from, from, size: 2, windowSeconds: 60 }]);
    const atLimit = '203.0.113.7';
    count(atLimit);
    count(atLimit);
    count('203.0.113.8');
    clock.advance(30_000);
    count('203.0.113.9');
    for (let last = 1; last <= 100; last += 1) count(`2001:db8:1:${last}::1`);
    for (let last = 1; last <= 100; last += 1) count(`198.51.100.${last}`);
    expect(count(atLimit).allowed).toBe(false);
    // A new address of a flooded network waits, one of another network and one that is known do not.
    expect(count('198.51.100.200').allowed).toBe(false);
    expect(count('2001:db8:1:ffff::1').allowed).toBe(false);
    expect(count('2001:db8:2::1').allowed).toBe(true);
    expect(count('192.0.2.1').allowed).toBe(true);
    expect(count('203.0.113.8').allowed).toBe(true);
    // Another bucket is not affected.
    expect(count('198.51.100.200', 'call').counts[0]?.consumed).toBe(1);
    // As soon as windows end, new addresses have their own again.
    clock.advance(30_000);
    expect(count('198.51.100.200').counts[0]?.consumed).toBe(1);
    expect(count('198.51.100.201').counts[0]?.consumed).toBe(1);
  });

  test('of keys that clients cannot invent, the window that began first makes room', () => {
    const windows = new MemoryWindows({ clock, maxPerTable: 3 });
    const count = (key: string) =>
      windows.countAll([{ bucket: 'call', key, size: 100, windowSeconds: 60 }]).counts[0]?.consumed;
    for (let key = 1; key <= 10; key += 1) count(String(key));
    expect(count('10')).toBe(2);
    expect(count('1')).toBe(1);
  });
});

describe('with a Redis that does not work', () => {
  let server: Server;
  const sockets = new Set<Socket>();

  async function listen(onSocket: (socket: Socket) => void): Promise<string> {
    server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onSocket(socket);
    });
    return `redis://127.0.0.1:${await listenOnLoopback(server)}`;
  }

  afterEach(async () => {
    await limiter.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await new Promise((resolve) => server.close(resolve));
  });

  const warnings = () => log.entries.filter(({ level }) => level === 40).length;

  test('a Redis that hangs delays one call and is then not used for a while', async () => {
    let isHung = false;
    let greeted = 0;
    let leftWaiting = 0;
    limiter = open(
      await listen((socket) => {
        socket.on('data', (data) => {
          greeted += 1;
          if (isHung && /evalsha/i.test(data.toString())) leftWaiting += 1;
          else socket.write(reply(data.toString()));
        });
      }),
    );
    await expect.poll(() => greeted).toBeGreaterThan(0);
    // Wait until Redis counts: it reports two calls, while this process has counted one.
    let warmUp = 0;
    const isCountedThere = async () => (await consumeCall(`warm-up:${(warmUp += 1)}`)).remaining;
    await expect.poll(isCountedThere, { interval: 20, timeout: 10_000 }).toBe(1);
    const before = warnings();
    isHung = true;

    await consumeCall('key:1', 'account:1');
    const greetedBefore = greeted;
    // The connection was replaced, so only the pause keeps the next calls from Redis.
    await expect.poll(() => greeted).toBeGreaterThan(greetedBefore);
    for (let call = 2; call <= 50; call += 1) await consumeCall('key:1', 'account:1');
    expect(leftWaiting).toBe(1);
    expect(await consumeCall('key:1')).toMatchObject({ allowed: false });
    expect(warnings()).toBe(before + 1);
  });

  test('a reply without counts is ignored', async () => {
    limiter = open(
      await listen((socket) => {
        socket.on('data', (data) => socket.write(greet(data.toString())));
      }),
    );
    // The warning comes with the first command, which is sent once there is a connection.
    await expect
      .poll(async () => {
        await consumeCall('warm-up');
        return warnings();
      })
      .toBe(1);
    const allowed = [];
    for (let call = 1; call <= 4; call += 1) {
      allowed.push((await consumeCall('key:1', 'account:1')).allowed);
    }
    expect(allowed).toEqual([true, true, true, false]);
    expect(warnings()).toBe(1);
  });
});

/** Replies so that a client believes it is connected. */
function greet(commands: string): string {
  return (commands.match(/\*\d/g) ?? []).map(() => '+OK\r\n').join('');
}

/** Like `greet`, but reports two counted calls for each window. */
function reply(commands: string): string {
  return /eval/i.test(commands) ? '*3\r\n:1\r\n:2\r\n:60000\r\n' : greet(commands);
}

function usedBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('if Redis fails, calls are counted in memory, and one warning names the error and REDIS_URL but not its password', async () => {
  const away = open('redis://:hunter2@127.0.0.1:1');
  const allowed = [];
  for (let call = 1; call <= 4; call += 1) {
    allowed.push((await away.consume([{ limit: 'call', key: 'key:1' }])).allowed);
  }
  expect(allowed).toEqual([true, true, true, false]);
  await expect
    .poll(() => log.entries)
    .toMatchObject([
      {
        msg: 'Redis failed (connect ECONNREFUSED 127.0.0.1:1), so each process counts rate limits for itself. Check that Redis runs, the host, port and password in REDIS_URL, and whether it needs longer than REDIS_TIMEOUT_MS.',
      },
    ]);
  expect(JSON.stringify(log.entries)).not.toContain('hunter2');
  await away.close();
});
