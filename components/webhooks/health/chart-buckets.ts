import type { WebhookStatistics } from '#lib/contract/webhook-statistics.ts';
import { formatSpan } from '#lib/time.ts';

/** A stretch of time and what was attempted in it. */
export type ChartBucket = {
  /** As the API wrote it. */
  start: string;
  span: string;
  delivered: number;
  failed: number;
  isFilling: boolean;
};

/** The buckets in words, oldest first; the last one is still filling. */
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
