import type { WebhookStatistics } from '#lib/contract/webhook-statistics.ts';
import { formatClock, formatDayMonth, formatShort } from '#lib/time.ts';

/** A word under the chart, where the bucket of this index begins. */
export type AxisLabel = {
  index: number;
  text: string;
  /** Goes where there is little room. */
  isMinor: boolean;
};

/**
 * The times under the bars: the first bucket's, then round ones of the reader's zone. A sixth is left
 * free at either end, for the first label and for "Now".
 */
export function axisLabels(
  { window, buckets }: Pick<WebhookStatistics, 'window'> & { buckets: { start: string }[] },
  zone: string | undefined,
): AxisLabel[] {
  const starts = buckets.map(({ start }) => new Date(start));
  const count = starts.length;
  const rounds = starts.flatMap((start, index) => {
    const isClear = index >= count / 6 && index <= (count * 5) / 6;
    return isClear && isRound[window](starts, index, zone) ? [{ start, index }] : [];
  });
  const [first] = starts;
  if (first === undefined) return [];
  const isOfHours = window === '24h';
  return [
    {
      index: 0,
      text: isOfHours ? formatShort(first, zone) : formatDayMonth(first, zone),
      isMinor: false,
    },
    ...rounds.map(({ start, index }, order) => ({
      index,
      text: isOfHours ? formatClock(start, zone) : formatDayMonth(start, zone),
      isMinor: order % 2 === 0 || index > (count * 3) / 4,
    })),
  ];
}

type IsRound = (starts: readonly Date[], index: number, zone: string | undefined) => boolean;

const isRound: Record<WebhookStatistics['window'], IsRound> = {
  '24h': (starts, index, zone) => {
    const start = starts[index];
    return start !== undefined && Number.parseInt(formatClock(start, zone), 10) % 4 === 0;
  },
  // The first bucket of a day: days begin within one wherever the zone isn't UTC.
  '7d': (starts, index, zone) => {
    const [before, start] = [starts[index - 1], starts[index]];
    if (before === undefined || start === undefined) return false;
    return formatDayMonth(before, zone) !== formatDayMonth(start, zone);
  },
  '30d': (_, index) => index % 5 === 0,
};
