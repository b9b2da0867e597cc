import { statisticsWindows } from '#lib/contract/webhooks/webhook-statistics.ts';
import type { StatisticsWindow } from '#lib/contract/webhooks/webhook-statistics.ts';
import { dayMs, minuteMs } from '#lib/durations.ts';

/** A bucket, with the number of whole buckets between 1970 and its start. */
type Bucket = { number: number; start: Date };

type Span = { since: Date; until: Date };

type StatisticsBuckets = { since: Date; bucketSeconds: number; buckets: Bucket[] };

/**
 * The buckets of a window that ends now, oldest first. They begin at whole minutes, hours or days
 * in UTC, so that counts stay in their buckets as time passes; the last bucket is still filling. A
 * webhook younger than the window has shorter buckets, which begin at its creation.
 */
export function createStatisticsBuckets(
  window: StatisticsWindow,
  { createdAt, now }: { createdAt: Date; now: Date },
): StatisticsBuckets {
  const longest = statisticsWindows[window];
  const windowMs = longest.bucketSeconds * longest.bucketCount * 1000;
  const start = Math.max(
    now.getTime() - windowMs,
    Math.min(createdAt.getTime(), now.getTime() - minSpanMs),
  );
  const shorter = shorterBucketSeconds.find(
    (seconds) =>
      seconds < longest.bucketSeconds &&
      numberOf(now.getTime(), seconds) < numberOf(start, seconds) + maxBuckets,
  );
  const bucketSeconds = shorter ?? longest.bucketSeconds;
  const last = numberOf(now.getTime(), bucketSeconds);
  const first = Math.max(
    numberOf(start, bucketSeconds),
    shorter === undefined ? last - longest.bucketCount + 1 : 0,
  );
  const buckets = Array.from({ length: last - first + 1 }, (_, index) => ({
    number: first + index,
    start: new Date((first + index) * bucketSeconds * 1000),
  }));
  return { since: new Date(first * bucketSeconds * 1000), bucketSeconds, buckets };
}

/** The span one window earlier; null if the webhook was younger, or attempts are not kept. */
export function previousSpan(
  window: StatisticsWindow,
  { since, until }: Span,
  { createdAt, retentionDays }: { createdAt: Date; retentionDays: number },
): Span | null {
  const { bucketSeconds, bucketCount } = statisticsWindows[window];
  const windowMs = bucketSeconds * bucketCount * 1000;
  const earlier = (date: Date) => new Date(date.getTime() - windowMs);
  const oldest = Math.max(createdAt.getTime(), until.getTime() - retentionDays * dayMs);
  if (earlier(since).getTime() < oldest) return null;
  return { since: earlier(since), until: earlier(until) };
}

/** How many whole buckets there are between 1970 and the bucket of a moment. */
function numberOf(timeMs: number, bucketSeconds: number): number {
  return Math.floor(timeMs / (bucketSeconds * 1000));
}

/** As many as a day of half-hour buckets. */
const maxBuckets = 48;

/** For a shorter time, the chart would have only a few, very wide bars. */
const minSpanMs = 30 * minuteMs;

const shorterBucketSeconds = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3600),
];
