import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { digestToken, isWellFormedToken, lastFour, newToken } from './token.ts';

describe('a token', () => {
  test('is sk_live_, 32 random and 6 checksum characters, all base62', () => {
    expect(newToken()).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
  });

  test('ends in the base62 CRC-32 of the text before it, padded with zeros on the left', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    for (let round = 0; round < 200; round += 1) {
      const token = newToken();
      const value = Array.from(token.slice(-6)).reduce(
        (sum, digit) => sum * 62 + digits.indexOf(digit),
        0,
      );
      expect(value).toBe(crc32(token.slice(0, -6)));
    }
  });

  test('is accepted as well formed, with leading zeros in its checksum too', () => {
    for (let round = 0; round < 2000; round += 1) expect(isWellFormedToken(newToken())).toBe(true);
  });

  test('uses every base62 character about equally often', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 2000; round += 1) {
      for (const character of newToken().slice(8, 40)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(62);
    const expected = (2000 * 32) / 62;
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(expected * 0.8);
      expect(count).toBeLessThan(expected * 1.2);
    }
  });

  test('shows its last four and is stored as a SHA-256 digest', () => {
    const token = newToken();
    expect(lastFour(token)).toBe(token.slice(40 + 2));
    expect(digestToken(token)).toHaveLength(32);
    expect(digestToken(token)).not.toEqual(digestToken(newToken()));
  });
});

describe('a text is not a token', () => {
  const good = newToken();
  test.each([
    ['with one character changed', good.replace(/.$/, good.endsWith('A') ? 'B' : 'A')],
    ['with two characters swapped', swapFirstDifferent(good)],
    ['with another prefix', good.replace('live', 'test')],
    ['cut short', good.slice(0, -1)],
    ['with something after it', `${good}A`],
    ['with a space', `${good} `],
    ['when empty', ''],
  ])('%s', (_how, text) => expect(isWellFormedToken(text)).toBe(false));
});

function swapFirstDifferent(token: string): string {
  let at = 8;
  while (token[at] === token[at + 1]) at += 1;
  return token.slice(0, at) + token.charAt(at + 1) + token.charAt(at) + token.slice(at + 2);
}
