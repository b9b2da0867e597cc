import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatClock, formatDayMonth, formatShort, formatSpan } from '#lib/time.ts';
import { daySeconds, hourSeconds, minuteSeconds } from '#lib/durations.ts';

/** A label below the chart, at the start of the bucket with this index. */
export type AxisLabel = {
  index: number;
  text: string;
  /** Hidden on narrow screens. */
  isMinor: boolean;
};

type AxisInput = Pick<WebhookStatistics, 'bucket_seconds'> & {
  buckets: readonly { start: string }[];
};

/** The labels below the bars: the start of the first bucket, then round times, none at the ends. */
export function axisLabels(
  { bucket_seconds: bucketSeconds, buckets }: AxisInput,
  zone: string | undefined,
): AxisLabel[] {
  const starts = buckets.map(({ start }) => new Date(start));
  const count = starts.length;
  const [first] = starts;
  if (first === undefined) return [];
  const step = stepFor(count * bucketSeconds);
  const isOfDays = step >= daySeconds;
  const rounds = roundIndexes(starts, step, zone).filter(
    (index) => index >= count / 6 && index <= (count * 5) / 6,
  );
  return [
    {
      index: 0,
      text: isOfDays ? formatDayMonth(first, zone) : formatShort(first, zone),
      isMinor: false,
    },
    ...rounds.map((index, order) => ({
      index,
      text: formatStart(starts[index] ?? first, isOfDays, zone),
      isMinor: order % 2 === 0 || index > (count * 2) / 3,
    })),
  ];
}

/** The label of the last bucket, which is not over: `12:00, so far`. */
export function lastBucketLabel(
  { bucket_seconds: bucketSeconds, buckets }: AxisInput,
  zone: string | undefined,
): string {
  const last = buckets.at(-1);
  if (last === undefined) return '';
  return `${formatStart(new Date(last.start), bucketSeconds >= daySeconds, zone)}, so far`;
}

/** From when to when a bucket is: `20 Nov, 10:00 – 11:00`. The last one is not over. */
export function bucketSpan(
  { bucket_seconds: bucketSeconds, buckets }: AxisInput,
  index: number,
  zone: string | undefined,
): string {
  const start = new Date(buckets[index]?.start ?? 0);
  const span = formatSpan(start, new Date(start.getTime() + bucketSeconds * 1000), zone);
  return index === buckets.length - 1 ? `${span}, so far` : span;
}

/** The seconds between two labels, chosen so that there are at most seven. */
function stepFor(spanSeconds: number): number {
  return steps.find((step) => spanSeconds <= step * 7) ?? 5 * daySeconds;
}

const steps = [300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, daySeconds];

/** The buckets in which a step of the reader's day begins. In some zones it is within a bucket. */
function roundIndexes(starts: readonly Date[], step: number, zone: string | undefined): number[] {
  const stepOf = (start: Date) => {
    const [hours = 0, minutes = 0] = formatClock(start, zone).split(':').map(Number);
    return `${formatDayMonth(start, zone)} ${Math.floor((hours * hourSeconds + minutes * minuteSeconds) / step)}`;
  };
  const begun = starts.flatMap((start, index) => {
    const before = starts[index - 1];
    return before !== undefined && stepOf(before) !== stepOf(start) ? [index] : [];
  });
  const everySo = Math.max(1, step / daySeconds);
  return begun.filter((_, order) => (order + 1) % everySo === 0);
}

function formatStart(start: Date, isOfDays: boolean, zone: string | undefined): string {
  return isOfDays ? formatDayMonth(start, zone) : formatClock(start, zone);
}
