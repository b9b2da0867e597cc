import { expect, test } from 'vitest';
import { keyChoiceViewOf, noChoice, toKeyChoice } from './key-choice.ts';

test('nothing is asked for where nothing is set', () => {
  expect(toKeyChoice(noChoice)).toEqual({});
  expect(toKeyChoice(keyChoiceViewOf({ sort: 'name', creator: ['a', 'b'] }))).toEqual({});
});

test('the last day is part of the choice, as the first is, from midnight to midnight here', () => {
  expect(toKeyChoice({ ...noChoice, from: '2026-11-20', to: '2026-11-20' })).toEqual({
    created_after: new Date(2026, 10, 20).toISOString(),
    created_before: new Date(2026, 10, 21).toISOString(),
  });
});

test.each(['2026-11', 'yesterday', '2026-13-01'])('%j is no day, and chooses nothing', (from) => {
  expect(toKeyChoice({ ...noChoice, from })).toEqual({});
});

test('creator and address are asked for as the address of the page has them', () => {
  const view = keyChoiceViewOf({ creator: 'person:a', address: ' 203.0.113.0/24 ' });
  expect(toKeyChoice(view)).toEqual({ created_by: 'person:a', address: '203.0.113.0/24' });
});
