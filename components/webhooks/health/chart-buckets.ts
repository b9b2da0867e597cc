import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatSpan } from '#lib/time.ts';

/** The attempts within a span of time. */
export type ChartBucket = {
  /** A timestamp from the API. */
  start: string;
  span: string;
  delivered: number;
  failed: number;
  isFilling: boolean;
};

/** The buckets with labels, oldest first. The last one is not complete yet. */
export function toChartBuckets(
  { buckets, bucket_seconds: seconds }: Pick<WebhookStatistics, 'buckets' | 'bucket_seconds'>,
  zone: string | undefined,
): ChartBucket[] {
  return buckets.map(({ start, delivered, failed }, index) => {
    const from = new Date(start);
    const isFilling = index === buckets.length - 1;
    const span = formatSpan(from, new Date(from.getTime() + seconds * 1000), zone);
    return { start, span: isFilling ? `${span}, so far` : span, delivered, failed, isFilling };
  });
}
