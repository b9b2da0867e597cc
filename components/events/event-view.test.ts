import { expect, test } from 'vitest';
import { type EventView, parseEventSearch, toEventFilter } from './event-view.ts';

const uuid = '1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b';
const now = new Date(2026, 10, 24, 12, 28);

test.each([
  [`msg_${uuid}`, 'webhook-id', uuid],
  [`webhook-id: msg_test_${uuid.toUpperCase()}`, 'webhook-id', uuid],
  [` ${uuid} `, 'UUID', uuid],
  ['204', 'ID', '204'],
  ['#1795170588', 'ID', '1795170588'],
])('%s is an id', (text, what, about) => {
  expect(parseEventSearch(text, now)).toEqual({ kind: 'id', what, about });
});

const at = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts);

test.each([
  ['12:25', at(2026, 10, 24, 12, 25), at(2026, 10, 24, 12, 26)],
  ['12:25:56', at(2026, 10, 24, 12, 25, 56), at(2026, 10, 24, 12, 25, 57)],
  ['2026-11-20', at(2026, 10, 20), at(2026, 10, 21)],
  ['2026-11-20 09:05', at(2026, 10, 20, 9, 5), at(2026, 10, 20, 9, 6)],
  ['20 Nov', at(2026, 10, 20), at(2026, 10, 21)],
  ['20 November 2025, 09:05:07', at(2025, 10, 20, 9, 5, 7), at(2025, 10, 20, 9, 5, 8)],
  [
    '2026-11-20T09:05:07.120+01:00',
    new Date('2026-11-20T08:05:07Z'),
    new Date('2026-11-20T08:05:08Z'),
  ],
  ['1795170588', new Date('2026-11-20T10:29:48Z'), new Date('2026-11-20T10:29:49Z')],
])('%s is a time', (text, from, to) => {
  expect(parseEventSearch(text, now)).toEqual({ kind: 'time', from, to });
});

test.each([
  'abc',
  'msg_1b4e',
  '2026-13-45',
  '2026-02-30',
  '31 Nov',
  '29 Feb 2026',
  '20 Foo',
  '12:25 or so',
])('%s is neither', (text) => {
  expect(parseEventSearch(text, now)).toEqual({ kind: 'unreadable' });
});

test('a day without a year, as lists show it, is the last such day, or tomorrow', () => {
  const fromOf = (text: string, ...today: [number, number, number]) => {
    const search = parseEventSearch(text, new Date(...today));
    return search.kind === 'time' ? search.from : search;
  };
  expect(fromOf('31 Dec, 23:59:04', 2027, 0, 1)).toEqual(at(2026, 11, 31, 23, 59, 4));
  expect(fromOf('29 Feb', 2029, 0, 15)).toEqual(at(2028, 1, 29));
  // The clock of the reader may be behind.
  expect(fromOf('1 Jan, 00:00:02', 2026, 11, 31)).toEqual(at(2027, 0, 1, 0, 0, 2));
});

test('an id or a time takes the place of the filters', () => {
  const view: EventView = {
    q: '',
    type: 'message.created',
    outcome: 'failed',
    since: '24h',
    from: null,
    to: null,
  };
  const filter = (q: string) => toEventFilter({ ...view, q }, parseEventSearch(q, now));
  expect(filter('')).toMatchObject({ type: 'message.created', outcome: 'failed' });
  expect(filter(uuid)).toEqual({ about: uuid });
  expect(Object.keys(filter('12:25'))).toEqual(['since', 'until']);
});
