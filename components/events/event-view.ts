import {
  hasWindow,
  type TimeWindow,
  toTimeFilter,
} from '#components/shell/search/time-window/time-window.ts';
import { parseDeliverySubject } from '#lib/contract/deliveries/delivery-subject.ts';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { findUuid } from '#lib/find-uuid.ts';
import type { EventFilter } from '#lib/queries/events.ts';
import { formatApiTime, startOfDay } from '#lib/time.ts';

/** The heading of the list, which takes the focus if the opener of an event is gone. */
export const eventsHeadingId = 'events-heading';

/** The element ID of the button that opens an event. */
export function eventOpenerId(uuid: string): string {
  return `event-${uuid}`;
}

export const outcomeChoices = [
  'any',
  'failed',
  'pending',
  'delivered',
  'cancelled',
  'none',
] as const;

/** The time spans before now that can be chosen. */
export const eventSpans = {
  '1h': { milliseconds: hourMs, label: 'Last hour' },
  '24h': { milliseconds: dayMs, label: 'Last 24 hours' },
  '7d': { milliseconds: 7 * dayMs, label: 'Last 7 days' },
} as const;

export const spanChoices = ['any', '1h', '24h', '7d'] as const;

/** The search and the filters of the list. */
export type EventView = {
  /** The searched text; `parseEventSearch` parses it. */
  q: string;
  type: 'any' | EventType | TestEventType;
  outcome: (typeof outcomeChoices)[number];
  since: (typeof spanChoices)[number];
  // In place of `since`:
} & TimeWindow;

export function isFiltered(view: EventView): boolean {
  const { q, type, outcome, since } = view;
  return (
    q.trim() !== '' || type !== 'any' || outcome !== 'any' || since !== 'any' || hasWindow(view)
  );
}

/** What a search asks for. */
export type EventSearch =
  | { kind: 'all' }
  | { kind: 'id'; what: 'webhook-id' | 'UUID' | 'ID'; about: string }
  /** `from` until before `to`: the second, minute or day that was entered. */
  | { kind: 'time'; from: Date; to: Date }
  | { kind: 'unreadable' };

/**
 * What a search asks for: an id, alone or within copied text, or a time. A number is an integer id,
 * also after `#`; with ten digits, it is the value of a `webhook-timestamp`.
 */
export function parseEventSearch(text: string, now: Date): EventSearch {
  const search = text.trim();
  if (search === '') return { kind: 'all' };
  const uuid = findUuid(search);
  if (uuid !== null) {
    const what = /msg_(?:test_)?[\da-f]{8}-/i.test(search) ? 'webhook-id' : 'UUID';
    return { kind: 'id', what, about: uuid };
  }
  if (/^1\d{9}$/.test(search)) return spanOf(new Date(Number(search) * 1000), 1000);
  const id = search.replace(/^#/, '');
  if (parseDeliverySubject(id) !== null) return { kind: 'id', what: 'ID', about: id };
  return parseTime(search, now) ?? { kind: 'unreadable' };
}

const instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

const localTime =
  /^(?:(?<date>\d{4}-\d\d-\d\d)|(?<day>\d{1,2}) (?<month>[a-z]{3})[a-z]*(?: (?<year>\d{4}))?)?(?:[, T]*(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?)?$/i;

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** A time with a zone, or in the reader's zone: today's, if it has no date. */
function parseTime(text: string, now: Date): EventSearch | null {
  const [, seconds] = instant.exec(text) ?? [];
  const exact = instant.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (!Number.isNaN(exact)) {
    const unitMs = seconds === undefined ? minuteMs : 1000;
    return spanOf(new Date(exact - (exact % unitMs)), unitMs);
  }
  const { date, day, month, year, hour, minute, second } = localTime.exec(text)?.groups ?? {};
  const monthIndex = months.indexOf(month?.toLowerCase() ?? '');
  if (date === undefined && hour === undefined && monthIndex === -1) return null;
  const start =
    date !== undefined
      ? startOfDay(date)
      : monthIndex === -1
        ? new Date(now.getFullYear(), now.getMonth(), now.getDate())
        : findDay({ year, monthIndex, day: Number(day) }, now);
  if (start === null) return null;
  if (hour === undefined) {
    const next = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1);
    return { kind: 'time', from: start, to: next };
  }
  start.setHours(Number(hour), Number(minute), Number(second ?? 0));
  return spanOf(start, second === undefined ? minuteMs : 1000);
}

/**
 * When a day begins; null if it does not exist. Without a year, as lists show it, it is the last such
 * day, or tomorrow: the reader's clock may be behind.
 */
function findDay(
  { year, monthIndex, day }: { year: string | undefined; monthIndex: number; day: number },
  now: Date,
): Date | null {
  const thisYear = now.getFullYear();
  const years = year === undefined ? [thisYear + 1, thisYear, thisYear - 1] : [Number(year)];
  const found = years
    .map((each) => new Date(each, monthIndex, day))
    // JavaScript continues 30 February in March.
    .filter((start) => start.getMonth() === monthIndex)
    .find((start) => year !== undefined || start.getTime() <= now.getTime() + dayMs);
  return found ?? null;
}

function spanOf(from: Date, milliseconds: number): EventSearch {
  return { kind: 'time', from, to: new Date(from.getTime() + milliseconds) };
}

/** What to read; an id or a time in the search takes the place of the filters. */
export function toEventFilter(view: EventView, search: EventSearch): EventFilter {
  if (search.kind === 'id') return { about: search.about };
  if (search.kind === 'time') {
    return { since: formatApiTime(search.from), until: formatApiTime(search.to) };
  }
  const { type, outcome } = view;
  return {
    type: type === 'any' ? undefined : type,
    outcome: outcome === 'any' ? undefined : outcome,
    ...toTimeFilter(view, eventSpans),
  };
}
