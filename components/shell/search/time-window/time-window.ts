import type { TimeFilter } from '#lib/queries/live-list.ts';
import { formatApiTime, formatShort, formatSpan } from '#lib/time.ts';

/** A window of time that a list is narrowed to; an end that is null is open. */
export type TimeWindow = { from: Date | null; to: Date | null };

/** Whether one of the ends is set. Without any, the list is not narrowed. */
export function hasWindow({ from, to }: TimeWindow): boolean {
  return from !== null || to !== null;
}

type TimeView<Span extends string> = TimeWindow & { since: 'any' | Span };

/** What to read of a list: the window, or else the span of time before now. */
export function toTimeFilter<Span extends string>(
  { since, from, to }: TimeView<Span>,
  spans: Readonly<Record<Span, { milliseconds: number }>>,
): TimeFilter {
  if (!hasWindow({ from, to })) {
    return { withinMs: since === 'any' ? undefined : spans[since].milliseconds };
  }
  return {
    since: from ? formatApiTime(from) : undefined,
    until: to ? formatApiTime(to) : undefined,
  };
}

/**
 * Sets an end of the window to the value of a `datetime-local` field. The value is empty while any
 * part of the field is, so the last end that is set is kept: without any end there is no window.
 */
export function changeEnd(
  view: TimeWindow,
  end: keyof TimeWindow,
  value: string,
): Partial<TimeWindow> {
  const time = value === '' ? null : new Date(value);
  if (time !== null && Number.isNaN(time.getTime())) return {};
  const changed = { from: view.from, to: view.to, [end]: time };
  return hasWindow(changed) ? { [end]: time } : {};
}

/** The window in words, in the zone of the reader if none is given. */
export function describeWindow({ from, to }: TimeWindow, zone: string | undefined): string {
  if (from !== null && to !== null) return formatSpan(from, to, zone);
  if (from !== null) return `Since ${formatShort(from, zone)}`;
  return to === null ? 'Any time' : `Before ${formatShort(to, zone)}`;
}
