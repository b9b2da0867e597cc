import { expect, test } from 'vitest';
import { readAsDates } from './read-as-dates.ts';

test('a timestamp after "at" is shown as a date after "on"', () => {
  const time = '2026-11-22T10:29:17.123+00:00';
  expect(readAsDates(`It ends immediately: rotated at ${time} by Ida, until ${time}.`)).toBe(
    `It ends immediately: rotated on ${time} by Ida, until ${time}.`,
  );
});
