import { expect, test } from 'vitest';
import { InFlightBudget } from './in-flight-budget.ts';

test('failing lanes together have a fifth of the budget, however many they are', () => {
  const budget = new InFlightBudget(10);
  const giveBack = [budget.take(true), budget.take(true)];
  expect(budget.hasRoom(true)).toBe(false);
  expect(budget.hasRoom(false)).toBe(true);
  giveBack[0]?.();
  expect(budget.hasRoom(true)).toBe(true);
});

test('a full budget has room for nobody', () => {
  const budget = new InFlightBudget(5);
  for (let taken = 0; taken < 5; taken += 1) budget.take(false);
  expect(budget.hasRoom(false)).toBe(false);
  expect(budget.hasRoom(true)).toBe(false);
});
