import { expect, test } from 'vitest';
import {
  noKeyFilters,
  readKeyFilters,
  toIncidentKeyFilters,
  withoutSecrets,
} from './key-filters.ts';

test('without filters, nothing is sent', () => {
  expect(toIncidentKeyFilters(noKeyFilters)).toEqual({});
  expect(toIncidentKeyFilters(readKeyFilters({ sort: 'name', creator: ['a', 'b'] }))).toEqual({});
});

test("the first and the last day are both included, from midnight to midnight in the reader's time zone", () => {
  expect(toIncidentKeyFilters({ ...noKeyFilters, from: '2026-11-20', to: '2026-11-20' })).toEqual({
    created_after: new Date(2026, 10, 20).toISOString(),
    created_before: new Date(2026, 10, 21).toISOString(),
  });
});

test.each(['2026-11', 'yesterday', '2026-13-01'])('%j is not a date and sets no filter', (from) => {
  expect(toIncidentKeyFilters({ ...noKeyFilters, from })).toEqual({});
});

test('creator and address are sent as they are in the URL', () => {
  const values = readKeyFilters({ creator: 'person:a', address: ' 203.0.113.0/24 ' });
  expect(toIncidentKeyFilters(values)).toEqual({
    created_by: 'person:a',
    address: '203.0.113.0/24',
  });
});

test('of a token that is pasted as the address, only the last four characters become part of the URL', () => {
  const token = `sk_live_${'a'.repeat(34)}b2C3`;
  expect(withoutSecrets({ address: token })).toEqual({ address: '…b2C3' });
  for (const filters of [{ address: '2001:db8::/32' }, { creator: 'person:a' }]) {
    expect(withoutSecrets(filters)).toEqual(filters);
  }
});
