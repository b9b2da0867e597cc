const HOUR_MS = 3_600_000;

/** The spans up to now that can be chosen: whose deliveries to show, whose events to replay. */
export const timeSpans = {
  '1h': { milliseconds: HOUR_MS, last: 'Last hour' },
  '24h': { milliseconds: 24 * HOUR_MS, last: 'Last 24 hours' },
  '7d': { milliseconds: 7 * 24 * HOUR_MS, last: 'Last 7 days' },
} as const;

/** Shortest first. */
export const timeSpanChoices = ['1h', '24h', '7d'] as const;

export type TimeSpan = (typeof timeSpanChoices)[number];
