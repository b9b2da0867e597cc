import { z } from 'zod';
import { attemptSummary } from '../deliveries/delivery.ts';
import { identifiers, success, timestamp } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { sampleAttempt, sampleDelivery } from '../samples.ts';
import { keysOf } from '#lib/object-keys.ts';

/** The maximum length of a window's buckets, and how many buckets there are. */
export const statisticsWindows = {
  '24h': { bucketSeconds: 1800, bucketCount: 48 },
  '7d': { bucketSeconds: 21_600, bucketCount: 28 },
  '30d': { bucketSeconds: 86_400, bucketCount: 30 },
} as const;

export type StatisticsWindow = keyof typeof statisticsWindows;

const windows = keysOf(statisticsWindows);

const deliveryCounts = z
  .object({
    total: z.int().min(0).describe('How many deliveries were made.'),
    delivered: z.int().min(0).describe('How many of them are delivered.'),
    delivered_after_retry: z
      .int()
      .min(0)
      .describe('How many of the delivered ones had a failed attempt before.'),
    retrying: z
      .int()
      .min(0)
      .describe('How many are pending after a failed attempt: another attempt will be made.'),
    failed: z.int().min(0).describe('How many failed: no more attempts will be made.'),
    cancelled: z.int().min(0).describe('How many were cancelled.'),
  })
  .describe(
    'The deliveries that were made in this time, as they stand now. The list of deliveries shows the same ones with `since`, `until`, `status` and `retried`. Deliveries that are in none of these counts wait for their first attempt.',
  );

const figures = {
  delivered: z.int().min(0).describe('How many attempts got a response with a 2xx status.'),
  failed: z.int().min(0).describe('How many attempts did not.'),
  success_rate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('The share of attempts that were delivered, 0 to 1; null if there were none.'),
  p50_ms: z
    .int()
    .min(0)
    .nullable()
    .describe('Median duration of an attempt in milliseconds; null if there were none.'),
  p95_ms: z
    .int()
    .min(0)
    .nullable()
    .describe(
      '95th percentile of the duration of an attempt in milliseconds; null if there were none.',
    ),
  deliveries: deliveryCounts,
};

const sampleFigures = {
  delivered: 58,
  failed: 7,
  success_rate: 0.8923,
  p50_ms: 182,
  p95_ms: 1240,
  deliveries: {
    total: 62,
    delivered: 58,
    delivered_after_retry: 3,
    retrying: 1,
    failed: 1,
    cancelled: 0,
  },
};

const responseTimes = {
  response_p50_ms: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'Median duration in milliseconds of the attempts that got a response; null if none did.',
    ),
  response_p95_ms: z
    .int()
    .min(0)
    .nullable()
    .describe(
      '95th percentile of the duration in milliseconds of the attempts that got a response; null if none did.',
    ),
};

/** How many different responses the statistics name. A receiver can send hundreds of statuses. */
export const maxResponses = 20;

const responseCount = z.object({
  status_code: z
    .int()
    .nullable()
    .describe('HTTP status of the response; null if it was not complete, or there was none.'),
  error: z
    .string()
    .nullable()
    .describe('If there is no status: the kind of error, as `error.kind` of an attempt.'),
  attempts: z.int().min(0).describe('How many attempts in the window had it.'),
  attempts_before: z
    .int()
    .min(0)
    .nullable()
    .describe('How many attempts of `previous` had it; null if `previous` is null.'),
});

const previousFigures = z.object({
  since: timestamp.describe('`since` of the window, one window earlier.'),
  until: timestamp.describe('`until` of the window, one window earlier.'),
  delivered: figures.delivered,
  failed: figures.failed,
  success_rate: figures.success_rate,
  ...responseTimes,
});

const sampleResponseTimes = { response_p50_ms: 173, response_p95_ms: 940 };

const sampleSummary = {
  started_at: sampleAttempt.started_at,
  duration_ms: sampleAttempt.duration_ms,
  status_code: sampleAttempt.status_code,
  redirects_to: sampleAttempt.redirects_to,
  error: sampleAttempt.error,
  body_excerpt: sampleAttempt.response.body,
};

/** Statistics about the attempts and deliveries of a webhook, tests included. */
export const webhookStatistics = z
  .object({
    window: z.enum(windows).describe('The requested window.'),
    since: timestamp.describe('Start of the first bucket.'),
    until: timestamp.describe('The time of the request. The last bucket is still filling.'),
    bucket_seconds: z
      .int()
      .positive()
      .describe('How many seconds a bucket covers: fewer for a webhook younger than the window.'),
    ...figures,
    ...responseTimes,
    responses: z
      .array(responseCount)
      .describe(
        `How many attempts had which status or error, the most frequent first: at most ${maxResponses}.`,
      ),
    previous: previousFigures
      .nullable()
      .describe(
        'The attempts of the preceding window of the same length, with `include=previous`. Null if the webhook, or its stored history, is younger.',
      ),
    busiest_second: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'The most attempts that began within one second of the window, with `include=busiest_second`. Null if there were none.',
      ),
    last_attempt: attemptSummary
      .nullable()
      .describe('The latest attempt in the window; null if there was none.'),
    last_failure: attemptSummary
      .nullable()
      .describe('The latest failed attempt in the window; null if there was none.'),
    next_attempt: z
      .object({
        delivery: z.object(identifiers('the delivery')).describe('The delivery.'),
        at: timestamp.describe('When it is due. Nothing is sent while the webhook is inactive.'),
      })
      .nullable()
      .describe(
        'The pending delivery that is due first, regardless of the window; null if none is pending.',
      ),
    buckets: z
      .array(z.object({ start: timestamp.describe('Start of the bucket.'), ...figures }))
      .describe(
        'The same figures for each part of the window, oldest first, empty ones included: at most 48. Buckets start at whole minutes, hours or days in UTC.',
      ),
  })
  .meta({
    id: 'WebhookStatistics',
    description:
      'How the attempts and deliveries of a webhook went in a window of time, tests included.',
    examples: [
      {
        window: '24h',
        since: '2026-11-19T11:00:00.000+00:00',
        until: '2026-11-20T10:31:07.440+00:00',
        bucket_seconds: 1800,
        ...sampleFigures,
        ...sampleResponseTimes,
        responses: [
          { status_code: 200, error: null, attempts: 58, attempts_before: 61 },
          { status_code: 503, error: null, attempts: 5, attempts_before: 0 },
          { status_code: null, error: 'response_timeout', attempts: 2, attempts_before: 0 },
        ],
        previous: {
          since: '2026-11-18T11:00:00.000+00:00',
          until: '2026-11-19T10:31:07.440+00:00',
          delivered: 61,
          failed: 0,
          success_rate: 1,
          ...sampleResponseTimes,
        },
        busiest_second: null,
        last_attempt: sampleSummary,
        last_failure: sampleSummary,
        next_attempt: {
          delivery: { id: sampleDelivery.id, uuid: sampleDelivery.uuid },
          at: sampleDelivery.next_attempt_at,
        },
        buckets: [{ start: '2026-11-20T10:30:00.000+00:00', ...sampleFigures }],
      },
    ],
  });

export type DeliveryCounts = z.infer<typeof deliveryCounts>;

export type WebhookStatistics = z.infer<typeof webhookStatistics>;

export const getWebhookStatistics = defineRoute({
  name: 'getWebhookStatistics',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook}/statistics',
  summary: 'Count the attempts and deliveries of a webhook',
  access: { scope: 'events:read', act: 'events.read' },
  inDashboard: true,
  query: z.strictObject({
    window: z
      .enum(windows, { error: `Use one of: ${windows.join(', ')}.` })
      .default('24h')
      .describe(
        'How far back to count: `24h` in buckets of half an hour, `7d` of 6 hours, `30d` of a day. Default: `24h`. For a webhook that is younger, from its creation on, in shorter buckets.',
      ),
    include: z
      .enum(['previous', 'busiest_second'], {
        error: 'Use include=previous or include=busiest_second, or omit it.',
      })
      .optional()
      .describe(
        '`previous` also counts the attempts of the preceding window of the same length, and `busiest_second` those that began in the busiest second.',
      ),
  }),
  response: { 200: success(webhookStatistics) },
});
