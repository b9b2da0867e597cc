import { expect, test } from 'vitest';

import { deliveriesSearchOf } from './deliveries-search-of.ts';

test.each([
  [{ delivery: 'd-1' }, 'delivery=d-1'],
  [{ replay: 'r-1', window: '7d' }, 'replay=r-1'],
  [
    { status: 'retried', from: '2026-11-20T10:00:00.000Z' },
    'status=retried&from=2026-11-20T10%3A00%3A00.000Z',
  ],
  [{ window: '7d' }, null],
  [{ q: ['one', 'two'], unknown: 'x' }, null],
  [{}, null],
])('the URL query %o gives the deliveries tab the query %o', (search, deliveries) => {
  expect(deliveriesSearchOf(search)).toBe(deliveries);
});
