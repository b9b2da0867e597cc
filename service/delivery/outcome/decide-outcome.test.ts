import { describe, expect, test } from 'vitest';
import type { AttemptErrorKind } from '#lib/contract/deliveries/attempt-errors.ts';
import type { AttemptResult } from '../sending/attempt.ts';
import { decideOutcome, retryDelayMs } from './decide-outcome.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const [min, middle, max] = [0, 0.5, 1].map((value) => () => value);

function resultWith(statusCode: number, headers: Record<string, string> = {}) {
  return { response: { statusCode, headers, body: '', isTruncated: false }, error: null };
}

function failure(kind: AttemptErrorKind, statusCode?: number): Parameters<typeof decideOutcome>[0] {
  const response = statusCode === undefined ? null : resultWith(statusCode).response;
  return { response, error: { kind, message: 'It went wrong.' } };
}

function outcomeOf(
  result: Pick<AttemptResult, 'response' | 'error'>,
  tries = 1,
  internalErrors = 0,
) {
  return decideOutcome(result, { tries, internalErrors, now, random: () => 0.5 });
}

/** How long until the next attempt, in seconds. */
function secondsOf(...args: Parameters<typeof outcomeOf>): number | null {
  const outcome = outcomeOf(...args);
  return 'at' in outcome ? (outcome.at.getTime() - now.getTime()) / 1000 : null;
}

test.each([
  ['delivered', [200, 201, 204, 299]],
  ['gone', [410]],
  ['retry', [300, 301, 302, 304, 307, 400, 401, 404, 409, 429, 500, 503]],
])('a response means %s with a status of %j', (kind, statuses) => {
  const kinds = statuses.map((status) => outcomeOf(resultWith(status)).kind);
  expect(kinds).toEqual(statuses.map(() => kind));
});

describe('a failure means', () => {
  test.each<AttemptErrorKind>([
    'name_not_found',
    'blocked_address',
    'connection_refused',
    'connection_reset',
    'tls',
    'connect_timeout',
    'response_timeout',
    'too_many_interim_responses',
    'invalid_response',
  ])('%s: retry', (kind) => expect(outcomeOf(failure(kind)).kind).toBe('retry'));

  test.each<[AttemptErrorKind, number, string]>([
    ['response_too_large', 200, 'delivered'],
    ['response_too_large', 500, 'retry'],
    ['response_too_large', 410, 'gone'],
    ['invalid_response', 200, 'delivered'],
    ['read_timeout', 200, 'retry'],
    ['connection_reset', 200, 'retry'],
    ['read_timeout', 410, 'retry'],
    ['internal', 200, 'our_fault'],
  ])('%s after the status %i: %s', (kind, status, outcome) => {
    expect(outcomeOf(failure(kind, status)).kind).toBe(outcome);
  });
});

describe('the schedule', () => {
  test('waits for longer after each attempt, up to ten hours', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => secondsOf(resultWith(500), tries));
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
  });

  test('varies by a fifth in either direction', () => {
    expect([min, middle, max].map((random) => retryDelayMs(2, random ?? Math.random))).toEqual([
      240_000, 300_000, 360_000,
    ]);
  });

  test('ends with the eighth attempt, no matter what the receiver asks for', () => {
    expect(outcomeOf(resultWith(500), 8)).toEqual({ kind: 'give_up' });
    expect(outcomeOf(resultWith(429, { 'retry-after': '10' }), 8)).toEqual({ kind: 'give_up' });
    expect(outcomeOf(failure('tls'), 9)).toEqual({ kind: 'give_up' });
  });

  test('does not apply to a success', () => {
    expect(outcomeOf(resultWith(204), 8)).toEqual({ kind: 'delivered' });
  });

  test('counts no internal error as an attempt, and waits twice as long after each, up to 16 minutes', () => {
    const waits = [0, 1, 2, 3, 4, 5, 100].map((before) =>
      secondsOf(failure('internal'), 8, before),
    );
    expect(waits).toEqual([60, 120, 240, 480, 960, 960, 960]);
  });
});

describe('Retry-After', () => {
  test.each([
    ['in seconds', 429, '120', 120],
    ['on a 503', 503, '120', 120],
    ['as a date', 429, 'Fri, 20 Nov 2026 12:10:00 GMT', 600],
    ['of more than a day, which is cut', 429, '604800', 86_400],
    ['as a date in a year, which is cut', 503, 'Sat, 20 Nov 2027 12:00:00 GMT', 86_400],
    ['sooner than the schedule, which stands', 429, '1', 5],
    ['in the past', 429, 'Fri, 20 Nov 2026 11:00:00 GMT', 5],
    ['on another status', 500, '120', 5],
    ['that is empty', 429, '', 5],
    ['that is no number', 429, 'soon', 5],
    ['that is negative', 429, '-5', 5],
    ['that is a fraction', 429, '99.5', 5],
    ['that only a lenient parser reads as a date', 429, '2026-12-24', 5],
    ['with more digits than a date has', 429, '99999999999', 5],
  ])('%s', (_what, status, header, seconds) => {
    expect(secondsOf(resultWith(status, { 'retry-after': header }))).toBe(seconds);
  });

  test('without the header', () => expect(secondsOf(resultWith(429))).toBe(5));
});
