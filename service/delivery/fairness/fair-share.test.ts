import { expect, test } from 'vitest';
import { FairShare } from './fair-share.ts';

/** A share of 100, of which the given accounts use these amounts. */
function shareOf(used: Record<string, number>): FairShare {
  const share = new FairShare(100);
  for (const [account, amount] of Object.entries(used)) share.add(account, amount);
  return share;
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
])('an account may use, %s', (_when, used, account, max) => {
  expect(shareOf(used).limitFor(account)).toBe(max);
});

test('accounts that want as much as possible end up with equal amounts, and leave some free', () => {
  const share = shareOf({});
  const accounts = ['a', 'b', 'c', 'd'];
  for (let round = 0; round < 100; round += 1) {
    for (const account of accounts) {
      if (share.usedBy(account) < share.limitFor(account)) share.add(account, 1);
    }
    // The first account gives back what it took while it was alone.
    if (round > 50 && share.usedBy('a') > share.limitFor('a')) share.add('a', -1);
  }
  expect(accounts.map((account) => share.usedBy(account))).toEqual([24, 23, 23, 23]);
  expect(share.free).toBeGreaterThan(0);
});

test('an account gets at most a quarter while another waits', () => {
  const share = shareOf({ a: 60 });
  share.noteWaiting('b');
  expect([share.limitFor('a'), share.limitFor('b')]).toEqual([25, 30]);
  share.beginRound();
  expect(share.limitFor('a')).toBe(25);
  share.beginRound();
  expect(share.limitFor('a')).toBe(75);
});
