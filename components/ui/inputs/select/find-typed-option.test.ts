import { expect, test } from 'vitest';
import { findTypedOption } from './find-typed-option.ts';

const options = [
  { value: 'any', label: 'Any' },
  { value: 'active', label: 'Active' },
  { value: 'rotating', label: 'Rotating' },
  { value: 'removed', label: 'Removed', disabled: true },
  { value: 'revoked', label: 'Revoked' },
  { value: 'day', label: 'In 24 hours' },
  { value: 'week', label: 'In 7 days' },
];
const find = (typed: string, value: string) => findTypedOption(options, { typed, value });

test('a letter chooses the next option that starts with it, in either case, and after the last the first', () => {
  expect(find('r', 'any')).toBe('rotating');
  expect(find('R', 'rotating')).toBe('revoked');
  expect(find('r', 'revoked')).toBe('rotating');
});

test('the same letter again goes on to the next option', () => {
  expect(find('rr', 'rotating')).toBe('revoked');
  expect(find('rrr', 'revoked')).toBe('rotating');
});

test('more letters keep the chosen option if it starts with them, and otherwise choose the first that does', () => {
  expect(find('ac', 'active')).toBe('active');
  expect(find('rev', 'rotating')).toBe('revoked');
  expect(find('in 7', 'day')).toBe('week');
});

test('an option that is disabled is not chosen, and neither is one for other letters', () => {
  expect(find('rem', 'any')).toBeNull();
  expect(find('x', 'any')).toBeNull();
});
