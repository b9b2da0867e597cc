import { expect, test } from 'vitest';
import { apiError } from '../api/api-error.ts';
import { pageRefetchInterval, refetchDelay } from './refetch-interval.ts';

const outage = apiError('UNAVAILABLE');
const limit = apiError('RATE_LIMIT_EXCEEDED', { retryAfter: 60 });
const forbidden = apiError('FORBIDDEN');

test.each<[string, number, unknown]>([
  ['what was read', 30_000, null],
  ['a failure with an unknown cause', 30_000, apiError('INTERNAL_ERROR')],
  ['what an outage keeps from being read', 30_000, outage],
  ['what a rate limit of a minute keeps from being read', 90_000, limit],
])('%s is read again after %i ms', (_, interval, error) => {
  expect(pageRefetchInterval({ state: { error } })).toBe(interval);
});

test.each<[string, unknown]>([
  ['what the person may not see', forbidden],
  ['what is gone', apiError('NOT_FOUND')],
  ['what needs a new session', apiError('UNAUTHORIZED')],
])('%s is not read again', (_, error) => {
  expect(pageRefetchInterval({ state: { error } })).toBe(false);
});

test.each<[string, unknown, number | false]>([
  ['goes on as usual', null, 1000],
  ['slows down in an outage', outage, 30_000],
  ['waits until a rate limit is over', limit, 90_000],
  ['ends once it is forbidden', forbidden, false],
])('data that is read each second %s', (_, error, pause) => {
  expect(refetchDelay(error, 1000)).toBe(pause);
});
