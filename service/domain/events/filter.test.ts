import { describe, expect, test } from 'vitest';
import { evaluateFilter, readPayload } from './filter.ts';

const payload = {
  type: 'message.created',
  data: { message: { author: 'agent', text: 'Hello' }, tags: ['a', 'b'], sequence: 3 },
};

const evaluate = (rule: Record<string, unknown>, body: object = payload) =>
  evaluateFilter(rule, readPayload(JSON.stringify(body)));

const author = { '==': [{ var: 'data.message.author' }, 'contact'] };
const type = { '==': [{ var: 'type' }, 'message.created'] };

describe('what a filter decides, and by which clause', () => {
  test.each<[rule: Record<string, unknown>, isSent: boolean, clause: string]>([
    [author, false, 'data.message.author == "contact"'],
    [{ and: [type, author] }, false, 'data.message.author == "contact"'],
    [{ or: [author, type] }, true, 'type == "message.created"'],
    [
      { or: [author, { and: [type, type] }] },
      true,
      'type == "message.created" and type == "message.created"',
    ],
    [
      { or: [author, { '!': type }] },
      false,
      'data.message.author == "contact" or !(type == "message.created")',
    ],
    [{ in: [{ var: 'type' }, ['a', 'b']] }, false, 'type in ["a","b"]'],
    [
      { some: [{ var: 'data.tags' }, { '==': [{ var: '' }, 'b'] }] },
      true,
      'some(data.tags, item == "b")',
    ],
    [{ '>': [{ var: ['data.sequence', 0] }, 2] }, true, 'var("data.sequence", 0) > 2'],
    [
      { '==': [{ substr: [{ var: 'data.message.text' }, 0, 2] }, 'He'] },
      true,
      'substr(data.message.text, 0, 2) == "He"',
    ],
    [{ and: [{ '!!': { var: 'data.missing' } }, true] }, false, '!!(data.missing)'],
  ])('%j', (rule, isSent, clause) => {
    expect(evaluate(rule)).toEqual({ isSent, clause, error: null });
  });

  test('a long clause is cut', () => {
    const { clause } = evaluate({ '==': [{ var: 'type' }, 'x'.repeat(500)] });
    expect(clause).toHaveLength(200);
    expect(clause).toMatch(/x…$/);
  });
});

describe('a filter that could need too many steps is not evaluated, and the event is sent', () => {
  const steps = 'It can need more than 10,000 steps.';
  const each = (body: unknown) => ({ all: [{ var: 'data.list' }, body] });
  const withList = (length: number) => ({ data: { list: Array.from({ length }, () => 1) } });

  test('because it goes through a long list, or through lists in lists', () => {
    const rule = each({ '==': [{ var: '' }, 1] });
    expect(evaluate(rule, withList(1000))).toMatchObject({ isSent: true, error: null });
    expect(evaluate(rule, withList(5000))).toEqual({ isSent: true, clause: null, error: steps });
    expect(evaluate(each(rule), withList(80)).error).toBe(steps);
  });

  test('because it goes through lists of its own, wherever they are', () => {
    const ones = Array.from({ length: 300 }, () => 1);
    const isOne = { '==': [{ var: '' }, 1] };
    const inEach = (list: unknown) => ({ all: [list, { all: [list, { all: [list, isOne] }] }] });
    for (const list of [
      { if: [true, ones, 1] },
      { or: [false, ones] },
      { var: ['data.missing', ones] },
    ]) {
      expect(evaluate(inEach(list)).error).toBe(steps);
    }
    const item = { var: '' };
    const lists = { all: [[ones], { all: [item, { all: [{ if: [true, ones] }, isOne] }] }] };
    expect(evaluate(lists).error).toBe(steps);
  });

  test('because it compares a long text again and again', () => {
    const item = { var: '' };
    const again = Array.from({ length: 20 }, () => item);
    const or = { or: Array.from({ length: 35 }, () => ({ '==': [item, 5] })) };
    const rule = { some: [[{ var: 'data.text' }], { some: [again, or] }] };
    expect(evaluate(rule, { data: { text: '1'.repeat(54_000) } }).error).toBe(steps);
  });

  test('because it searches a long text in another one', () => {
    const text = (length: number) => ({ data: { text: 'a'.repeat(length) } });
    const word = { in: ['refund', { var: 'data.text' }] };
    expect(evaluate(word, text(60_000))).toMatchObject({ isSent: false, error: null });
    const itself = { in: [{ var: 'data.text' }, { var: 'data.text' }] };
    expect(evaluate(itself, text(1000))).toMatchObject({ isSent: true, error: null });
    expect(evaluate(itself, text(60_000)).error).toBe(steps);
    const inList = { in: [[{ var: 'data.text' }], { var: 'data.text' }] };
    expect(evaluate(inList, text(60_000)).error).toBe(steps);
    const names = Array.from({ length: 100 }, (_, index) => `contact-${index}`);
    const oneOf = { in: [{ var: 'data.text' }, names] };
    expect(evaluate(oneOf, text(60_000))).toMatchObject({ isSent: false, error: null });
  });
});
