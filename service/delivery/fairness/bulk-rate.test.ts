import { expect, test } from 'vitest';
import { BulkRate } from './bulk-rate.ts';
import type { Speed } from './lane-window.ts';

/** A rate with a clock of its own, after a second in which fresh deliveries waited so long. */
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

test('it takes its share back once they no longer do', () => {
  const { rate, live } = usedTo(2);
  live(1, 20);
  const pressed = rate.perSecond;
  live(2, 2);
  expect(rate.perSecond).toBeGreaterThan(pressed);
  live(30, 2);
  expect(rate.perSecond).toBeGreaterThan(15_000);
});

test('it never starves', () => {
  expect(usedTo(2).live(20, 500)).toBeGreaterThanOrEqual(100);
});

test('receivers that have not answered yet begin at a low rate beside fresh deliveries', () => {
  const { live } = usedTo(2);
  expect(live(0.1, 2, 'unknown')).toBeLessThan(350);
  expect(live(0.1, 2, 'fast')).toBeGreaterThan(10_000);
});

test('that rate grows while fresh deliveries do not wait, and is low again after a pause', () => {
  const { live } = usedTo(2);
  live(5, 2, 'unknown');
  expect(live(0.1, 2, 'unknown')).toBeGreaterThan(1000);
  live(2, 2, 'fast');
  expect(live(0.1, 2, 'unknown')).toBeLessThan(350);
});

test('receivers that have not answered yet begin at once where nothing else is due', () => {
  const { live } = usedTo(2);
  live(2, null, 'fast');
  expect(live(1, null, 'unknown')).toBeGreaterThan(15_000);
});
