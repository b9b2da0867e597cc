import type {
  DeliveryCounts,
  WebhookStatistics,
} from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatCount } from '#lib/count.ts';
import { formatDuration } from '#lib/time.ts';
import { bucketSpan } from '#components/shell/chart/axis-labels.ts';
import { type BarPart, barParts, isSeries, partStyles } from './bar-parts.ts';

/** The deliveries that were made within a span of time. */
export type ChartBucket = {
  start: Date;
  end: Date;
  span: string;
  counts: PartCounts;
  /** The heights of the bar's parts: what was delivered after a retry is drawn as retried. */
  heights: Record<BarPart, number>;
};

/** As the table's filters find them: what arrived after a retry is delivered and retried. */
export type PartCounts = Record<BarPart, number>;

export function countParts(deliveries: DeliveryCounts): PartCounts {
  const { total, delivered, delivered_after_retry: afterRetry, retrying } = deliveries;
  const { failed, cancelled } = deliveries;
  return {
    delivered,
    retried: afterRetry + retrying,
    failed,
    waiting: total - delivered - retrying - failed - cancelled,
    cancelled,
  };
}

/** The buckets with labels, oldest first. */
export function toChartBuckets(
  statistics: Pick<WebhookStatistics, 'buckets' | 'bucket_seconds'>,
  zone: string | undefined,
): ChartBucket[] {
  return statistics.buckets.map(({ start: startTime, deliveries }, index) => {
    const start = new Date(startTime);
    const counts = countParts(deliveries);
    return {
      start,
      end: new Date(start.getTime() + statistics.bucket_seconds * 1000),
      span: bucketSpan(statistics, index, zone),
      counts,
      heights: {
        ...counts,
        delivered: counts.delivered - deliveries.delivered_after_retry,
      },
    };
  });
}

/** The parts that are shown of these deliveries, from bottom to top. */
export function shownParts(counts: PartCounts): BarPart[] {
  return barParts.filter((part) => isSeries(part) || counts[part] > 0);
}

/** `58 delivered, 5 retried, 7 failed`, and `, 3 waiting, 2 cancelled` if there are any. */
export function describeCounts(counts: PartCounts): string {
  return shownParts(counts)
    .map((part) => `${formatCount(counts[part])} ${partStyles[part].label.toLowerCase()}`)
    .join(', ');
}

/** What a bar counts: `deliveries per half hour`, `deliveries in 5 minutes`. */
export function describeBucketLength(seconds: number): string {
  const length = specialLengths.get(seconds) ?? `in ${formatDuration(seconds)}`;
  return `deliveries ${length}`;
}

const specialLengths = new Map([
  [60, 'a minute'],
  [1800, 'per half hour'],
  [3600, 'an hour'],
  [86_400, 'a day'],
]);
