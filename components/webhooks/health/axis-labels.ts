import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatClock, formatDayMonth, formatShort } from '#lib/time.ts';

/** A label below the chart, at the start of the bucket with this index. */
export type AxisLabel = {
  index: number;
  text: string;
  /** Hidden on narrow screens. */
  isMinor: boolean;
};

/**
 * The labels below the bars: the start of the first bucket, then round times in the reader's time
 * zone. A sixth of the width stays free at both ends, for the first label and for "Now".
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
  // The first bucket of a day. Outside of UTC a day can begin within a bucket.
  '7d': (starts, index, zone) => {
    const [before, start] = [starts[index - 1], starts[index]];
    if (before === undefined || start === undefined) return false;
    return formatDayMonth(before, zone) !== formatDayMonth(start, zone);
  },
  '30d': (_, index) => index % 5 === 0,
};
