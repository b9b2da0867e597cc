import { describe, expect, test } from 'vitest';
import type { AttemptResult } from '../sending/attempt.ts';
import type { Outcome } from './decide-outcome.ts';
import { toCompletedAttempt } from './to-completed-attempt.ts';

const dueAt = new Date('2026-11-20T12:00:00.000Z');
const startedAt = new Date('2026-11-20T12:00:00.007Z');
const later = new Date('2026-11-20T12:05:00.000Z');

type Given = { isTest: boolean; isRequested: boolean; scheduledAt: Date; result: AttemptResult };

const responded: AttemptResult = {
  startedAt,
  durationMs: 12,
  firstByteMs: 11,
  requestHeaders: {},
  response: { statusCode: 503, headers: {}, body: 'busy', isTruncated: false },
  error: null,
};

function attemptWith(
  outcome: Outcome,
  { isTest = false, result = responded, ...request }: Partial<Given> = {},
) {
  return toCompletedAttempt(
    {
      lane: { webhookId: 4, accountId: 'a', lease: 9 },
      url: 'https://receiver.example.com/',
      delivery: {
        eventId: 7,
        dueAt,
        attemptCount: 2,
        tries: 2,
        internalErrors: 0,
        isRequested: false,
        scheduledAt: null,
        isTest,
        ...request,
        replayUuid: null,
        event: { uuid: 'u', payload: '{}', traceParent: null },
      },
      result,
    },
    outcome,
  );
}

describe('the record of an attempt', () => {
  test.each<[Outcome, object]>([
    [
      { kind: 'delivered' },
      { becomes: { status: 'delivered' }, says: 'works', countsInSchedule: true },
    ],
    [
      { kind: 'retry', at: later },
      { becomes: { status: 'pending', dueAt: later }, says: 'fails' },
    ],
    [{ kind: 'give_up' }, { becomes: { status: 'failed' }, says: 'fails', countsInSchedule: true }],
    [{ kind: 'gone' }, { becomes: { status: 'failed' }, says: 'gone' }],
    [
      { kind: 'our_fault', at: later },
      { becomes: { status: 'pending', dueAt: later }, says: 'nothing', countsInSchedule: false },
    ],
    [
      { kind: 'event_gone' },
      { becomes: { status: 'cancelled' }, says: 'nothing', countsInSchedule: false },
    ],
  ])('for $kind', (outcome, expected) => {
    expect(attemptWith(outcome)).toMatchObject({ ...expected, number: 3, waitedMs: 7 });
  });

  test('of a test event says that it is the only one, and counts neither for nor against the webhook', () => {
    for (const kind of ['give_up', 'gone'] as const) {
      expect(attemptWith({ kind }, { isTest: true })).toMatchObject({
        becomes: { status: 'failed' },
        says: 'nothing',
      });
    }
    expect(attemptWith({ kind: 'retry', at: later }, { isTest: true }).becomes).toEqual({
      status: 'failed',
    });
    expect(attemptWith({ kind: 'delivered' }, { isTest: true })).toMatchObject({
      becomes: { status: 'delivered' },
      says: 'nothing',
    });
  });

  test('that someone requested ahead of the schedule is no step of it, and counts against nobody', () => {
    const retry: Outcome = { kind: 'retry', at: later };
    expect(attemptWith(retry, { isRequested: true, scheduledAt: later })).toMatchObject({
      countsInSchedule: false,
      says: 'nothing',
    });
    // The schedule's own attempt was due as well.
    expect(attemptWith(retry, { isRequested: true, scheduledAt: dueAt })).toMatchObject({
      countsInSchedule: true,
      says: 'nothing',
    });
    const delivered = attemptWith({ kind: 'delivered' }, { isRequested: true, scheduledAt: later });
    expect(delivered).toMatchObject({ says: 'works' });
    const gone = attemptWith({ kind: 'gone' }, { isRequested: true, scheduledAt: later });
    expect(gone).toMatchObject({ says: 'gone' });
  });

  test('with an error message after a failure, and none after a success', () => {
    expect(attemptWith({ kind: 'give_up' }).lastError).toBe('The receiver responded with 503.');
    expect(attemptWith({ kind: 'delivered' }).lastError).toBeNull();
    const refused = { kind: 'connection_refused', message: 'Nobody listens there.' } as const;
    const result = { ...responded, response: null, error: refused };
    expect(attemptWith({ kind: 'give_up' }, { result })).toMatchObject({
      lastError: 'Nobody listens there.',
      statusCode: null,
      error: refused,
    });
  });
});
