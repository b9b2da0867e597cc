import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '#lib/durations.ts';
import { createLimiter } from '../../../limiter/limiter.ts';
import type { Limiter } from '../../../limiter/limiter.ts';
import { FakeClock } from '../../../testing/clock.ts';
import { TestLog } from '../../../testing/logger.ts';
import { ServiceError } from '../../errors.ts';
import { limitSignIn } from './limit-sign-in.ts';

const email = 'ann@example.com';
const laptop = { deviceId: 'laptop', isOf: () => true };
const phone = { deviceId: 'phone', isOf: () => true };

let clock: FakeClock;
let limiter: Limiter;
let addresses = 0;

beforeEach(() => {
  clock = new FakeClock();
  limiter = createLimiter({
    config: {
      redisUrl: null,
      redisTimeoutMs: 250,
      rateLimitPerMinute: 1,
      accountRateLimitPerMinute: null,
      creationsPerHour: 1,
      failedAuthPerMinute: 1,
    },
    clock,
    log: new TestLog().logger,
  });
});
afterEach(() => limiter.close());

type Attempt = { email?: string; ip?: string; device?: typeof laptop; isRight?: boolean };

/** Counts one attempt and gives the seconds to wait; 0 if there is nothing to wait for. */
async function attempt({ isRight = false, ...about }: Attempt = {}): Promise<number> {
  addresses += 1;
  const ip = about.ip ?? `10.0.${addresses >> 8}.${addresses & 255}`;
  try {
    const { giveBack } = await limitSignIn(
      { limiter },
      { email: about.email ?? email, origin: { ip }, device: about.device ?? null },
    );
    if (isRight) await giveBack();
    return 0;
  } catch (error) {
    if (error instanceof ServiceError) return error.retryAfterSeconds ?? Number.NaN;
    throw error;
  }
}

/** How many of these attempts are counted, the others being refused. */
async function counted(times: number, values: (time: number) => Attempt): Promise<number> {
  let sum = 0;
  for (let time = 0; time < times; time += 1) if ((await attempt(values(time))) === 0) sum += 1;
  return sum;
}

describe('from unknown devices', () => {
  test('an address has ten tries a minute over all emails, right ones too', async () => {
    const ip = '203.0.113.7';
    const spray = (time: number) => ({
      ip,
      email: `a${time}@example.com`,
      isRight: time % 2 === 0,
    });
    expect(await counted(20, spray)).toBe(10);
    expect(await attempt({ ip })).toBe(60);
    expect(await attempt()).toBe(0);
    clock.advance(minuteMs);
    expect(await attempt({ ip })).toBe(0);
  });

  test('addresses of one IPv6 network of 64 bits are one', async () => {
    expect(await counted(20, (time) => ({ ip: `2001:db8:7:7:${time}::1` }))).toBe(10);
    expect(await attempt({ ip: '2001:db8:7:8::1' })).toBe(0);
  });

  test('an address has 30 tries an hour for one email, and cannot use up those of other addresses', async () => {
    const ip = '203.0.113.7';
    let sum = 0;
    for (let passed = 0; passed < 30; passed += 1) {
      sum += await counted(20, () => ({ ip }));
      clock.advance(minuteMs);
    }
    expect(sum).toBe(30);
    expect(await attempt({ ip })).toBe(30 * 60);
    expect(await attempt({ ip, email: 'bob@example.com' })).toBe(0);
    expect(await counted(100, () => ({}))).toBe(70);
    clock.advance(30 * minuteMs);
    expect(await attempt({ ip })).toBe(0);
  });

  test('an email has 100 tries an hour over all addresses', async () => {
    expect(await counted(1000, () => ({}))).toBe(100);
    expect(await attempt()).toBe(3600);
    expect(await attempt({ email: 'bob@example.com' })).toBe(0);
    clock.advance(hourMs - 1);
    expect(await attempt()).toBe(1);
    clock.advance(1);
    expect(await attempt()).toBe(0);
  });
});

describe('a known device', () => {
  test('is let through when the limits of address and email are used up, and does not count towards them', async () => {
    const ip = '203.0.113.7';
    expect(await counted(10, () => ({ ip, device: laptop }))).toBe(10);
    expect(await counted(20, () => ({ ip }))).toBe(10);
    expect(await counted(1000, () => ({}))).toBe(90);
    expect(await attempt({ ip, device: phone })).toBe(0);
  });
});
