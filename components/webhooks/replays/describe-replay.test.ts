import { describe, expect, test } from 'vitest';
import type { Replay } from '#lib/contract/deliveries/replays.ts';
import {
  describeCount,
  describeEnd,
  describeKinds,
  isSending,
  needsCancelConfirmation,
  describeProgress,
  replayLabel,
} from './describe-replay.ts';

const replay: Replay = {
  uuid: 'e0b1f1c2-3c55-4a8e-8d1b-2f3d0f6d9a11',
  webhook_id: 3,
  since: '2026-11-19T07:00:00.000+00:00',
  until: '2026-11-20T08:00:00.000+00:00',
  status_filter: 'failed',
  include_pending: false,
  include_earlier: false,
  state: 'running',
  total: 1412,
  done: 1000,
  waiting: 240,
  created_at: '2026-11-20T10:31:07.440+00:00',
};

test.each([
  [0, 'Nothing to send in this window.', 'Replay events'],
  [1, '1 event would be sent again.', 'Replay 1 event'],
  [1412, '1,412 events would be sent again.', 'Replay 1,412 events'],
])('%i events are counted, and named on the button', (count, sentence, label) => {
  expect(describeCount(count)).toBe(sentence);
  expect(replayLabel(count)).toBe(label);
});

test('the button shows no number until the events are counted', () => {
  expect(replayLabel(null)).toBe('Replay events');
});

test('a running replay shows its progress', () => {
  expect(describeProgress(replay)).toBe('760 of 1,412 sent');
});

test('a replay goes on until its last event was sent', () => {
  expect(isSending(replay)).toBe(true);
  expect(isSending({ ...replay, state: 'done', done: 1412, waiting: 1 })).toBe(true);
  expect(isSending({ ...replay, state: 'done', done: 1412, waiting: 0 })).toBe(false);
  expect(isSending({ ...replay, state: 'cancelled' })).toBe(false);
});

test('a count names each kind of event in the window, without zeros', () => {
  const none = { count: 0, failed: 0, missed: 0, delivered: 0, pending: 0, before_creation: 0 };
  expect(describeKinds(none)).toBe('There are no events in this window.');
  expect(describeKinds({ ...none, failed: 1200, pending: 1, before_creation: 5 })).toBe(
    'In this window: 1,200 failed · 1 waits for a retry · 5 from before this webhook was created.',
  );
});

describe('a finished replay shows its result', () => {
  test.each<[string, Partial<Replay>, string]>([
    ['done', { state: 'done', done: 1412 }, '1,412 events were sent.'],
    ['done, of one', { state: 'done', done: 1 }, '1 event was sent.'],
    ['done, with nothing left', { state: 'done', done: 0 }, 'There was nothing to send.'],
    ['cancelled', { state: 'cancelled' }, 'Replay cancelled: 1,000 of 1,412 events were queued.'],
    [
      'cancelled, of one',
      { state: 'cancelled', done: 0, total: 1 },
      'Replay cancelled: 0 of 1 event was queued.',
    ],
  ])('%s', (_, over, expected) => {
    expect(describeEnd({ ...replay, ...over })).toBe(expected);
  });
});

describe('needsCancelConfirmation', () => {
  test.each<[string, Partial<Replay>, boolean]>([
    ['failed events are found again by the same window', {}, false],
    ['of everything, a part is queued', { status_filter: 'all' }, true],
    ['of everything, nothing is queued yet', { status_filter: 'all', done: 0 }, false],
    ['of everything, all is queued', { status_filter: 'all', state: 'done' }, false],
  ])('%s', (_, over, expected) => {
    expect(needsCancelConfirmation({ ...replay, ...over })).toBe(expected);
  });
});
