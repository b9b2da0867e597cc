import { describe, expect, test } from 'vitest';
import { isSmallInput } from './is-small-input.ts';

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

describe('the input of an action', () => {
  test.each([
    ['a text to the limit', ['x'.repeat(98)]],
    ['nothing', undefined],
    ['fields to the limit', [{ a: 'x'.repeat(47), b: 'x'.repeat(47) }]],
  ])('is small: %s', (_, input) => expect(isSmallInput(input, 100)).toBe(true));

  test.each([
    ['a text beyond the limit', ['x'.repeat(99)]],
    ['fields that are beyond it together', [{ a: 'x'.repeat(48), b: 'x'.repeat(48) }]],
    ['a name', [{ ['x'.repeat(99)]: 1 }]],
    ['many empty values', Array.from({ length: 100 }, () => [])],
    ['an object that contains itself', cyclic],
  ])('is too large: %s', (_, input) => expect(isSmallInput(input, 100)).toBe(false));
});
