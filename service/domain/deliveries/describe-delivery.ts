import type { Attempt, AttemptSummary, Delivery } from '#lib/contract/deliveries/delivery.ts';
import { testEventType } from '#lib/contract/events/events.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Actor } from '../actor.ts';
import { mayReadErrorText, mayReadPayload } from '../events/may-read-payload.ts';
import { shownHeaders, shownUrl } from '../shown-url.ts';
import { restOfSchedule } from './retry-schedule.ts';
import type { AttemptRow, DeliveryRow } from './store/deliveries.ts';

/** The event of a delivery, as it is sent. */
type SentEvent = Pick<DeliveryRow, 'eventType'> & { payload: string };

export function describeDelivery(row: DeliveryRow): Delivery {
  const rest = restOfSchedule({ ...row, isTest: row.eventType === testEventType });
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
    attempts_left: rest.attemptsLeft,
    gives_up_at: rest.lastAttemptAt && formatApiTime(rest.lastAttemptAt),
    last_attempt_at: row.lastAttemptAt && formatApiTime(row.lastAttemptAt),
    last_duration_ms: row.lastDurationMs,
    last_status_code: row.lastStatusCode,
    last_error: row.lastError,
    created_at: formatApiTime(row.createdAt),
    finished_at: row.finishedAt && formatApiTime(row.finishedAt),
    replay_uuid: row.replayUuid,
    filter_error: row.filterError,
  };
}

/**
 * One attempt of a delivery, whose payload every attempt sends. What the reader may not read of it
 * or of the response is left out; the lengths of bodies are always included.
 */
export function describeAttempt(
  row: AttemptRow,
  { sent: { payload, eventType }, reader }: { sent: SentEvent; reader: Actor },
): Attempt {
  return {
    id: row.id,
    number: row.number,
    ...describeOutcome(row, reader),
    waited_ms: row.waitedMs,
    first_byte_ms: row.firstByteMs,
    url: shownUrl(reader, row.url),
    request: {
      headers: row.requestHeaders,
      body: mayReadPayload(reader, eventType) ? payload : null,
      body_bytes: Buffer.byteLength(payload),
    },
    response: describeResponse(row, { eventType, reader }),
  };
}

/** An attempt without its request, and for some readers without the response's body. */
export function describeAttemptSummary(
  row: AttemptRow & Pick<DeliveryRow, 'eventType'>,
  reader: Actor,
): AttemptSummary {
  return {
    ...describeOutcome(row, reader),
    body_excerpt: mayReadErrorText(reader, row.eventType)
      ? excerptOf(row.responseBody ?? '')
      : null,
  };
}

const maxExcerptCharacters = 200;

/** The beginning of the body on one line, in whole characters; null if it is empty. */
export function excerptOf(body: string): string | null {
  const line = body.replaceAll(/\s+/gu, ' ').trim();
  const characters = [...line];
  if (characters.length <= maxExcerptCharacters) return line || null;
  return `${characters.slice(0, maxExcerptCharacters).join('')}…`;
}

function describeOutcome(row: AttemptRow, reader: Actor) {
  const target = redirectTarget(row);
  return {
    started_at: formatApiTime(row.startedAt),
    duration_ms: row.durationMs,
    status_code: row.statusCode,
    redirects_to: target && shownUrl(reader, target),
    error: row.errorKind === null ? null : { kind: row.errorKind, message: row.errorMessage ?? '' },
  };
}

/** Where a response of 3xx points (RFC 9110, 15.4); null for any other. */
function redirectTarget({ statusCode, responseHeaders, url }: AttemptRow): string | null {
  const location = responseHeaders?.['location'];
  if (location === undefined || statusCode === null || statusCode < 300 || statusCode > 399) {
    return null;
  }
  return URL.parse(location, url)?.href ?? null;
}

function describeResponse(
  { responseHeaders: headers, ...row }: AttemptRow,
  { eventType, reader }: Pick<SentEvent, 'eventType'> & { reader: Actor },
): Attempt['response'] {
  if (headers === null) return null;
  const withErrorText = mayReadErrorText(reader, eventType);
  const body = row.responseBody ?? '';
  const type = headers['content-type'];
  return {
    headers: withErrorText
      ? shownHeaders(reader, headers)
      : { ...(type !== undefined && { 'content-type': type }) },
    body: withErrorText ? body : null,
    body_bytes: Buffer.byteLength(body),
    truncated: row.isResponseTruncated,
  };
}
