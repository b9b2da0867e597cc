import { describe, expect, test } from 'vitest';
import { Budget } from './budget.ts';

/** A capacity of 100, of which the given keys use these amounts. */
function budgetOf(used: Record<string, number>): Budget {
  const budget = new Budget({ capacity: 100 });
  for (const [key, amount] of Object.entries(used)) budget.add(key, amount);
  return budget;
}

test.each([
  ['alone, three quarters', {}, 'a', 75],
  ['alone, however much it uses already', { a: 75 }, 'a', 75],
  ['beside one that has all it may have, some of the rest', { a: 75 }, 'b', 19],
  ['beside one that uses little, much', { a: 4 }, 'b', 72],
  ['beside many, less than each of them', { a: 20, b: 20, c: 20, d: 20 }, 'e', 15],
  ['beside so many that one is left, that one', { a: 33, b: 33, c: 33 }, 'd', 1],
  ['when all is used by others, nothing', { a: 50, b: 50 }, 'c', 0],
  ['when more than all is used by others, nothing', { a: 80, b: 50 }, 'c', 0],
])('a key may use, %s', (_when, used, key, max) => {
  expect(budgetOf(used).limitFor(key)).toBe(max);
});

test('keys that want as much as possible end up with equal amounts, and leave some free', () => {
  const budget = budgetOf({});
  const keys = ['a', 'b', 'c', 'd'];
  for (let round = 0; round < 100; round += 1) {
    for (const key of keys) {
      if (budget.usedBy(key) < budget.limitFor(key)) budget.add(key, 1);
    }
    // The first key gives back what it took while it was alone.
    if (round > 50 && budget.usedBy('a') > budget.limitFor('a')) budget.add('a', -1);
  }
  expect(keys.map((key) => budget.usedBy(key))).toEqual([24, 23, 23, 23]);
  expect(budget.free).toBeGreaterThan(0);
});

test('a key gets at most a quarter while another waits', () => {
  const budget = budgetOf({ a: 60 });
  budget.noteWaiting('b');
  expect([budget.limitFor('a'), budget.limitFor('b')]).toEqual([25, 30]);
  budget.beginRound();
  expect(budget.limitFor('a')).toBe(25);
  budget.beginRound();
  expect(budget.limitFor('a')).toBe(75);
});

describe('a reservation', () => {
  const limits = { capacity: 100, maxPerKey: 60, freeOfEach: 10 };

  test('grows to what its key may use in all, and frees it when it is released', () => {
    const budget = new Budget(limits);
    const [first, second] = [budget.reserve('a'), budget.reserve('a')];
    expect([first.growTo(40), first.growTo(50), second.growTo(31)]).toEqual([true, true, false]);
    expect(second.growTo(30)).toBe(true);
    expect(budget.usedBy('a')).toBe(60);
    first.release();
    expect([budget.usedBy('a'), second.growTo(70)]).toEqual([20, true]);
  });

  test('grows to what other keys leave', () => {
    const budget = new Budget(limits);
    expect([budget.reserve('a').growTo(70), budget.reserve('b').growTo(51)]).toEqual([true, false]);
    expect([budget.reserve('b').growTo(50), budget.free]).toEqual([true, 0]);
  });

  test('of a small amount is always granted', () => {
    const budget = new Budget(limits);
    budget.add('b', 100);
    expect([budget.reserve('a').growTo(10), budget.reserve('a').growTo(11)]).toEqual([true, false]);
  });

  test('frees nothing twice', () => {
    const budget = new Budget(limits);
    const reservation = budget.reserve('a');
    reservation.growTo(20);
    reservation.release();
    reservation.release();
    expect(budget.used).toBe(0);
  });
});
