import type { Attempt, AttemptSummary, Delivery } from '#lib/contract/deliveries/delivery.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Actor } from '../actor.ts';
import { shownHeaders, shownUrl } from '../shown-url.ts';
import type { AttemptRow, DeliveryRow } from './store/delivery-rows.ts';

export function describeDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    uuid: row.uuid,
    webhook_id: row.webhookId,
    event: {
      uuid: row.eventUuid,
      type: row.eventType,
      created_at: formatApiTime(row.eventCreatedAt),
    },
    status: row.status,
    attempt_count: row.attemptCount,
    next_attempt_at: row.dueAt && formatApiTime(row.dueAt),
    last_attempt_at: row.lastAttemptAt && formatApiTime(row.lastAttemptAt),
    last_duration_ms: row.lastDurationMs,
    last_status_code: row.lastStatusCode,
    last_error: row.lastError,
    created_at: formatApiTime(row.createdAt),
    finished_at: row.finishedAt && formatApiTime(row.finishedAt),
  };
}

/**
 * One attempt. Every attempt of a delivery sends the payload of its event. Bodies are left out
 * unless `withBodies` is true; their lengths are always included.
 */
export function describeAttempt(
  row: AttemptRow,
  { payload, withBodies, reader }: { payload: string; withBodies: boolean; reader: Actor },
): Attempt {
  return {
    id: row.id,
    number: row.number,
    ...describeOutcome(row),
    waited_ms: row.waitedMs,
    first_byte_ms: row.firstByteMs,
    url: shownUrl(reader, row.url),
    request: {
      headers: row.requestHeaders,
      body: withBodies ? payload : null,
      body_bytes: Buffer.byteLength(payload),
    },
    response: describeResponse(row, { withBodies, reader }),
  };
}

/**
 * An attempt without its request. The beginning of the response's body is left out unless
 * `withBodies` is true.
 */
export function describeAttemptSummary(
  row: AttemptRow,
  { withBodies }: { withBodies: boolean },
): AttemptSummary {
  return {
    ...describeOutcome(row),
    body_excerpt: withBodies ? excerptOf(row.responseBody ?? '') : null,
  };
}

const maxExcerptCharacters = 200;

/** The beginning of the body on one line, in whole characters; null if it is empty. */
function excerptOf(body: string): string | null {
  const line = body.replaceAll(/\s+/gu, ' ').trim();
  const characters = [...line];
  if (characters.length <= maxExcerptCharacters) return line || null;
  return `${characters.slice(0, maxExcerptCharacters).join('')}…`;
}

function describeOutcome(row: AttemptRow) {
  return {
    started_at: formatApiTime(row.startedAt),
    duration_ms: row.durationMs,
    status_code: row.statusCode,
    error: row.errorKind === null ? null : { kind: row.errorKind, message: row.errorMessage ?? '' },
  };
}

function describeResponse(
  row: AttemptRow,
  { withBodies, reader }: { withBodies: boolean; reader: Actor },
): Attempt['response'] {
  if (row.responseHeaders === null) return null;
  const body = row.responseBody ?? '';
  return {
    headers: shownHeaders(reader, row.responseHeaders),
    body: withBodies ? body : null,
    body_bytes: Buffer.byteLength(body),
    truncated: row.isResponseTruncated,
  };
}
