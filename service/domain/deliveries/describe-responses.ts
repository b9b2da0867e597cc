import { maxResponses } from '#lib/contract/webhooks/webhook-statistics.ts';
import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import type { ResponseCount, ResponseCounts } from './store/response-counts.ts';

/**
 * How many attempts had which response, in the window and in the span before it, the most frequent
 * first.
 */
export function describeResponses(
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
export function describeResponseTimes({
  responseP50Ms,
  responseP95Ms,
}: Pick<ResponseCounts, 'responseP50Ms' | 'responseP95Ms'>) {
  return {
    response_p50_ms: responseP50Ms === null ? null : Math.round(responseP50Ms),
    response_p95_ms: responseP95Ms === null ? null : Math.round(responseP95Ms),
  };
}
