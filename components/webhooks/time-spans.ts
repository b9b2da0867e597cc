import { dayMs, hourMs } from '#lib/durations.ts';

/** The time spans before now that can be chosen: to filter deliveries, and to replay events. */
export const timeSpans = {
  '1h': { milliseconds: hourMs, last: 'Last hour' },
  '24h': { milliseconds: dayMs, last: 'Last 24 hours' },
  '7d': { milliseconds: 7 * dayMs, last: 'Last 7 days' },
} as const;

/** Shortest first. */
export const timeSpanChoices = ['1h', '24h', '7d'] as const;

export type TimeSpan = (typeof timeSpanChoices)[number];
