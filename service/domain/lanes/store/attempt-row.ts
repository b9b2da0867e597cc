import type { RowValue } from '../../../db/statements/rows-from.ts';
import type { CompletedAttempt } from '../completed-attempt.ts';

/** The columns of `ended_attempts`, with their SQL types. */
export const attemptColumns = {
  webhook_id: 'int',
  account_id: 'uuid',
  event_id: 'bigint',
  lease: 'bigint',
  number: 'int',
  status: 'text',
  due_at: 'timestamptz',
  tries: 'int',
  internal_errors: 'int',
  last_error: 'text',
  started_at: 'timestamptz',
  duration_ms: 'int',
  waited_ms: 'int',
  first_byte_ms: 'int',
  url: 'text',
  status_code: 'int',
  error_kind: 'text',
  error_message: 'text',
  request_headers: 'jsonb',
  response_headers: 'jsonb',
  response_body: 'text',
  is_response_truncated: 'boolean',
};

export function attemptRow(
  attempt: CompletedAttempt,
): Record<keyof typeof attemptColumns, RowValue> {
  const { becomes } = attempt;
  return {
    webhook_id: attempt.webhookId,
    account_id: attempt.accountId,
    event_id: attempt.eventId,
    lease: attempt.lease,
    number: attempt.number,
    status: becomes.status,
    due_at: becomes.status === 'pending' ? becomes.dueAt : null,
    tries: attempt.countsInSchedule ? 1 : 0,
    internal_errors: attempt.error?.kind === 'internal' ? 1 : 0,
    last_error: storable(attempt.lastError),
    started_at: attempt.startedAt,
    duration_ms: wholeMs(attempt.durationMs),
    waited_ms: wholeMs(attempt.waitedMs),
    first_byte_ms: attempt.firstByteMs === null ? null : wholeMs(attempt.firstByteMs),
    url: attempt.url,
    status_code: attempt.statusCode,
    error_kind: attempt.error?.kind ?? null,
    error_message: storable(attempt.error?.message ?? null),
    request_headers: attempt.requestHeaders,
    response_headers: attempt.responseHeaders && storableHeaders(attempt.responseHeaders),
    response_body: storable(attempt.responseBody),
    is_response_truncated: attempt.isResponseTruncated,
  };
}

/** Milliseconds as an integer column holds them: a delivery may be overdue by over 24 days. */
function wholeMs(ms: number): number {
  return Math.min(Math.round(ms), 2_147_483_647);
}

/** PostgreSQL's text cannot contain NUL or half a surrogate pair; a receiver may send both. */
function storable(text: string | null): string | null {
  return text === null ? null : text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function storableHeaders(headers: Record<string, string>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, storable(value)]),
  );
}
