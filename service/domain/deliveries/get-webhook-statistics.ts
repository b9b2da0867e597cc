import {
  maxResponses,
  type DeliveryCounts,
  type StatisticsWindow,
  type WebhookStatistics,
} from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { findWebhook } from '../webhooks/read-webhooks.ts';
import { describeAttemptSummary } from './describe-delivery.ts';
import { createStatisticsBuckets, previousSpan } from './statistics-buckets.ts';
import {
  countAttempts,
  countBusiestSecond,
  countDeliveries,
  countResponses,
  findLastAttempt,
  findNextAttempt,
  type AttemptCount,
  type DeliveryCount,
  type ResponseCount,
  type ResponseCounts,
} from './store/statistics.ts';

type Include = 'previous' | 'busiest_second' | undefined;

/**
 * The results of a webhook's attempts in a window of time, in total and in buckets, and with
 * `include: 'previous'` those of the same span of time before, or how many began in its busiest
 * second.
 * @throws ServiceError NOT_FOUND
 */
export async function getWebhookStatistics(
  ctx: Context,
  actor: Actor,
  input: { webhook: string; window: StatisticsWindow; include?: Include },
): Promise<WebhookStatistics> {
  const webhook = await findWebhook(ctx, actor, input);
  const now = ctx.clock.now();
  const { since, bucketSeconds, buckets } = createStatisticsBuckets(input.window, {
    createdAt: webhook.createdAt,
    now,
  });
  const window = { since, until: now, bucketSeconds };
  const previous =
    input.include === 'previous'
      ? previousSpan(input.window, window, {
          createdAt: webhook.createdAt,
          retentionDays: ctx.config.retentionDays,
        })
      : null;
  const countsBusiest = input.include === 'busiest_second';
  const read = async () => ({
    ...(await readWindow(ctx, webhook, { window, previous })),
    busiest: countsBusiest ? await countBusiestSecond(ctx.db, webhook, window) : null,
  });
  const { counts, total, deliveryCounts, responses, before, lastAttempt, lastFailure, ...found } =
    await ctx.heavyReads.run(actor.accountId, read);
  const { next, busiest } = found;
  const describe = (attempt: typeof lastAttempt) =>
    attempt && describeAttemptSummary(attempt, actor);
  const countOf = new Map(counts.map((count) => [count.bucket, count]));
  const deliveriesOf = new Map(deliveryCounts.map((count) => [count.bucket, count]));
  return {
    window: input.window,
    since: formatApiTime(since),
    until: formatApiTime(now),
    bucket_seconds: bucketSeconds,
    ...figuresOf(total),
    deliveries: describeCounts(deliveriesOf.get(null)),
    ...describeResponseTimes(responses),
    responses: describeResponses(responses.responses, before && before.responses),
    previous: previous && before && describePrevious(previous, before),
    busiest_second: busiest,
    last_attempt: describe(lastAttempt),
    last_failure: describe(lastFailure),
    next_attempt: next && {
      delivery: { id: next.id, uuid: next.uuid },
      at: formatApiTime(next.dueAt),
    },
    buckets: buckets.map(({ number, start }) => ({
      start: formatApiTime(start),
      ...figuresOf(countOf.get(number)),
      deliveries: describeCounts(deliveriesOf.get(number)),
    })),
  };
}

async function readWindow(
  { db }: Context,
  webhook: { accountId: string; id: number },
  {
    window,
    previous,
  }: {
    window: { since: Date; until: Date; bucketSeconds: number };
    previous: { since: Date; until: Date } | null;
  },
) {
  const counts = await countAttempts(db, webhook, window);
  const deliveryCounts = await countDeliveries(db, webhook, window);
  const responses = await countResponses(db, webhook, window);
  const before = previous && (await countResponses(db, webhook, previous));
  const total = counts.find(({ bucket }) => bucket === null);
  const lastAttempt = total ? await findLastAttempt(db, webhook, window) : null;
  // If nothing failed, a search for the latest failure would read the whole window.
  const lastFailure =
    total && total.failed > 0
      ? await findLastAttempt(db, webhook, { ...window, hasFailed: true })
      : null;
  const next = await findNextAttempt(db, webhook);
  return { counts, total, deliveryCounts, responses, before, lastAttempt, lastFailure, next };
}

function describeCounts(count: DeliveryCount | undefined): DeliveryCounts {
  return {
    total: count?.total ?? 0,
    delivered: count?.delivered ?? 0,
    delivered_after_retry: count?.deliveredAfterRetry ?? 0,
    retrying: count?.retrying ?? 0,
    failed: count?.failed ?? 0,
    cancelled: count?.cancelled ?? 0,
  };
}

function describePrevious(
  { since, until }: { since: Date; until: Date },
  counts: ResponseCounts,
): WebhookStatistics['previous'] {
  const { delivered, failed } = counts;
  return {
    since: formatApiTime(since),
    until: formatApiTime(until),
    delivered,
    failed,
    success_rate: successRate({ delivered, failed }),
    ...describeResponseTimes(counts),
  };
}

function figuresOf(count: AttemptCount | undefined) {
  const { delivered = 0, failed = 0 } = count ?? {};
  const rate = successRate({ delivered, failed });
  if (!count || rate === null) {
    return { delivered, failed, success_rate: null, p50_ms: null, p95_ms: null };
  }
  return {
    delivered,
    failed,
    success_rate: rate,
    p50_ms: Math.round(count.p50Ms),
    p95_ms: Math.round(count.p95Ms),
  };
}

/** To four decimals; null if there were no attempts. */
function successRate({ delivered, failed }: { delivered: number; failed: number }): number | null {
  const all = delivered + failed;
  return all === 0 ? null : Math.round((delivered / all) * 10_000) / 10_000;
}

/** How many attempts had which response, in the window and before it, most frequent first. */
function describeResponses(
  current: readonly ResponseCount[],
  previous: readonly ResponseCount[] | null,
): WebhookStatistics['responses'] {
  const keyOf = ({ statusCode, errorKind }: ResponseCount) => `${statusCode} ${errorKind}`;
  const now = new Map(current.map((count) => [keyOf(count), count.attempts]));
  const before = previous && new Map(previous.map((count) => [keyOf(count), count.attempts]));
  const known = new Map([...(previous ?? []), ...current].map((count) => [keyOf(count), count]));
  return [...known]
    .map(([key, { statusCode, errorKind }]) => ({
      status_code: statusCode,
      error: errorKind,
      attempts: now.get(key) ?? 0,
      attempts_before: before && (before.get(key) ?? 0),
    }))
    .toSorted(
      (a, b) =>
        b.attempts - a.attempts ||
        (b.attempts_before ?? 0) - (a.attempts_before ?? 0) ||
        (a.status_code ?? 1000) - (b.status_code ?? 1000),
    )
    .slice(0, maxResponses);
}

/** The durations of the attempts that got a response. */
function describeResponseTimes({
  responseP50Ms,
  responseP95Ms,
}: Pick<ResponseCounts, 'responseP50Ms' | 'responseP95Ms'>) {
  return {
    response_p50_ms: responseP50Ms === null ? null : Math.round(responseP50Ms),
    response_p95_ms: responseP95Ms === null ? null : Math.round(responseP95Ms),
  };
}
