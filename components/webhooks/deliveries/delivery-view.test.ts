import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { type DeliveryView, isFiltered, toDeliveryFilter } from './delivery-view.ts';

const everything: DeliveryView = {
  q: '',
  status: 'any',
  event: 'any',
  replayed: 'any',
  since: 'any',
  from: null,
  to: null,
};
const from = new Date('2026-11-20T10:00:00.000Z');
const to = new Date('2026-11-20T11:00:00.000Z');

describe('toDeliveryFilter', () => {
  test.each<[string, Partial<DeliveryView>, object]>([
    ['everything', {}, {}],
    ['the status of a response', { q: '503' }, { statusCode: 503 }],
    ['a conversation that failed', { q: '7', status: 'failed' }, { about: '7', status: 'failed' }],
    ['a status', { status: 'failed' }, { status: 'failed' }],
    ['what was cancelled', { status: 'cancelled' }, { status: 'cancelled' }],
    [
      'those that had a failed attempt, regardless of their status',
      { status: 'retried' },
      { retried: true },
    ],
    ['what a replay sent', { replayed: 'yes' }, { replayed: true }],
    ['what no replay sent', { replayed: 'no' }, { replayed: false }],
    ['a span up to now', { since: '1h' }, { withinMs: hourMs }],
    [
      'a window of the chart',
      { from, to },
      { since: '2026-11-20T10:00:00.000+00:00', until: '2026-11-20T11:00:00.000+00:00' },
    ],
    ['a window without an end', { from }, { since: '2026-11-20T10:00:00.000+00:00' }],
    [
      'a window in place of a span',
      { from, since: '1h' },
      { since: '2026-11-20T10:00:00.000+00:00' },
    ],
  ])('%s', (_, view, filter) => {
    expect(definedIn(toDeliveryFilter({ ...everything, ...view }))).toEqual(filter);
    expect(isFiltered({ ...everything, ...view })).toBe(Object.keys(view).length > 0);
  });
});

function definedIn(filter: object): object {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
