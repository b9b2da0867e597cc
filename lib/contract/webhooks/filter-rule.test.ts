import { describe, expect, test } from 'vitest';

import { filterLimits, filterRule } from './filter-rule.ts';

const problemOf = (rule: unknown) =>
  filterRule.safeParse(rule).error?.issues.map(({ message }) => message)[0] ?? null;

const nested = (depth: number): unknown => (depth === 0 ? true : { '!': [nested(depth - 1)] });

describe('a filter is refused, with the reason', () => {
  test.each<[what: string, rule: unknown, reason: RegExp]>([
    ['a text', 'type', /^Use a JSON object with one operator, such as \{/],
    ['nothing in it', {}, /^Use a JSON object with one operator/],
    ['two operators', { '==': [1, 1], '!': 0 }, /exactly one operator/],
    ['an object as value', { '==': [{ var: 'data' }, {}] }, /exactly one operator/],
    [
      'calling a method',
      { method: [{ var: 'type' }, 'trim'] },
      /^“method” is not an operator\. Use/,
    ],
    ['writing to the log', { log: 'x' }, /^“log” is not an operator/],
    ['building a list', { reduce: [[1], { var: 'current' }, 0] }, /^“reduce” is not an operator/],
    ['an operator of every object', { toString: [] }, /^“toString” is not an operator/],
    ['the prototype', JSON.parse('{"__proto__": [1]}'), /exactly one operator|one operator/],
    ['too few values', { '==': [1] }, /^== takes 2 values\.$/],
    ['a computed path', { var: [{ var: 'type' }] }, /^var takes the path of a field/],
    ['a path into the prototype', { var: 'data.constructor.name' }, /^var takes the path/],
    ['a control character', { '==': [{ var: 'type' }, 'a\u0000'] }, /^Remove control characters/],
    ['half of a character', { '==': [{ var: 'type' }, '\ud83d'] }, /halves of surrogate pairs/],
    ['a number that is infinite', JSON.parse('{"==": [1e999, 1]}'), /^Use smaller numbers\.$/],
    ['too many levels', nested(filterLimits.depth), /^Nest at most 10 levels\.$/],
    [
      'a hundred thousand levels',
      JSON.parse(`{"!":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
      /^Nest/,
    ],
    [
      'too many operators',
      { and: Array.from({ length: 100 }, () => ({ '!': 0 })) },
      /^Use at most 100 operators\.$/,
    ],
    ['too many bytes', { in: ['ä'.repeat(2100), ''] }, /^Use at most 4096 bytes/],
  ])('%s', (_, rule, reason) => {
    expect(problemOf(rule)).toMatch(reason);
  });

  test('and one is accepted that stays below every limit', () => {
    for (const rule of [
      nested(filterLimits.depth - 1),
      { and: Array.from({ length: 99 }, () => ({ '!': 0 })) },
      { some: [{ var: 'data.list' }, { '>': [{ var: '' }, 1] }] },
      { if: [{ '<': [1, { var: ['data.sequence', 0] }, 9] }, true, { '!!': { var: 'data' } }] },
    ]) {
      expect(problemOf(rule)).toBeNull();
    }
  });
});
