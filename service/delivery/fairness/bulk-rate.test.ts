import { expect, test } from 'vitest';
import { BulkRate } from './bulk-rate.ts';
import type { Speed } from './lane-window.ts';

/** A rate with its own clock, after one second in which fresh deliveries waited this long. */
function usedTo(waitedMs: number) {
  let now = 0;
  const rate = new BulkRate(() => now);
  const live = (seconds: number, freshMs: number | null, speed: Speed = 'fast') => {
    let sent = 0;
    for (const end = now + seconds * 1000; now < end; now += 1) {
      if (freshMs !== null) rate.noteFresh(freshMs);
      while (rate.take(speed)) sent += 1;
    }
    return sent / seconds;
  };
  live(1, waitedMs);
  return { rate, live };
}

test('a backlog alone is sent as fast as it can be', () => {
  expect(usedTo(2).live(1, null)).toBeGreaterThan(15_000);
});

test('a backlog gives way when fresh deliveries begin to wait', () => {
  const { rate, live } = usedTo(2);
  const before = rate.perSecond;
  live(0.5, 20);
  expect(rate.perSecond).toBeLessThan(before / 5);
  expect(live(1, 20)).toBeLessThan(before / 5);
});

test('a backlog gets its share back once fresh deliveries no longer wait', () => {
  const { rate, live } = usedTo(2);
  live(1, 20);
  const pressed = rate.perSecond;
  live(2, 2);
  expect(rate.perSecond).toBeGreaterThan(pressed);
  live(30, 2);
  expect(rate.perSecond).toBeGreaterThan(15_000);
});

test('a backlog never starves', () => {
  expect(usedTo(2).live(20, 500)).toBeGreaterThanOrEqual(100);
});

test('receivers that have not responded yet begin at a low rate beside fresh deliveries', () => {
  const { live } = usedTo(2);
  expect(live(0.1, 2, 'unknown')).toBeLessThan(350);
  expect(live(0.1, 2, 'fast')).toBeGreaterThan(10_000);
});

test('the rate of first requests grows while fresh deliveries do not wait, and is low again after a pause', () => {
  const { live } = usedTo(2);
  live(5, 2, 'unknown');
  expect(live(0.1, 2, 'unknown')).toBeGreaterThan(1000);
  live(2, 2, 'fast');
  expect(live(0.1, 2, 'unknown')).toBeLessThan(350);
});

test('receivers that have not responded yet begin immediately if nothing else is due', () => {
  const { live } = usedTo(2);
  live(2, null, 'fast');
  expect(live(1, null, 'unknown')).toBeGreaterThan(15_000);
});
