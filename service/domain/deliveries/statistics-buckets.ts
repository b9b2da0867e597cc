import { statisticsWindows } from '#lib/contract/webhooks/webhook-statistics.ts';
import type { StatisticsWindow } from '#lib/contract/webhooks/webhook-statistics.ts';

/** A bucket and how many whole ones since 1970 lie before it. */
type Bucket = { number: number; start: Date };

/**
 * The buckets of a window that ends now, oldest first. They begin at whole hours or days in UTC, so
 * that what was counted stays where it is while time passes; the last one is still filling.
 */
export function createStatisticsBuckets(
  window: StatisticsWindow,
  now: Date,
): { since: Date; bucketSeconds: number; buckets: Bucket[] } {
  const { bucketSeconds, bucketCount } = statisticsWindows[window];
  const bucketMs = bucketSeconds * 1000;
  const first = Math.floor(now.getTime() / bucketMs) - bucketCount + 1;
  return {
    since: new Date(first * bucketMs),
    bucketSeconds,
    buckets: Array.from({ length: bucketCount }, (_, index) => ({
      number: first + index,
      start: new Date((first + index) * bucketMs),
    })),
  };
}
