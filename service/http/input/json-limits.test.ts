import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithinJsonLimits } from './json-limits.ts';

const isWithinLimits = (text: string) => isWithinJsonLimits(new TextEncoder().encode(text));

describe('JSON is refused before it is parsed', () => {
  test.each([
    ['with many values', `[${'1,'.repeat(5000)}1]`],
    ['with many empty lists', `[${'[],'.repeat(3000)}[]]`],
    ['with many names', JSON.stringify(Object.fromEntries(Array(5001).fill(1).entries()))],
    ['nested deeply', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['nested deeply, in turns', `${'{"a":['.repeat(17)}${']}'.repeat(17)}`],
    ['nested deeply, never closed', '['.repeat(33)],
    ['nested deeply behind a string with a quote', `["\\"", ${'['.repeat(33)}`],
    ['nested deeply behind a string that ends with a backslash', `["\\\\", ${'['.repeat(33)}`],
  ])('%s', (_, text) => expect(isWithinLimits(text)).toBe(false));
});

describe('JSON is let through to the parser', () => {
  test.each([
    ['that is empty', '{}'],
    ['with values to the limit', `[${'1,'.repeat(4999)}1]`],
    ['nested to the limit', `${'['.repeat(32)}${']'.repeat(32)}`],
    ['whose text is full of commas and brackets', JSON.stringify({ text: ',[{"'.repeat(100_000) })],
    ['that is none', '"\\'],
  ])('%s', (_, text) => expect(isWithinLimits(text)).toBe(true));

  test('that is small, regardless of its content', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(isWithinLimits(text)).toBe(true);
      }),
      { seed: 20_261_122 },
    );
  });
});
