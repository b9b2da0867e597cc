import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import {
  defaultDraft,
  mayStartTooEarly,
  type ReplayDraft,
  selectPreset,
  toReplayInput,
  validateDraft,
} from './replay-draft.ts';

// The fields hold the reader's own time, in whichever time zone.
const now = new Date(2026, 10, 20, 10, 31, 7);
const own: ReplayDraft = {
  ...defaultDraft,
  preset: 'custom',
  since: '2026-11-19T07:00',
  status: 'all',
};

function inputOf(draft: ReplayDraft) {
  expect(validateDraft(draft, now)).toEqual({});
  return toReplayInput(draft, now);
}

describe('toReplayInput', () => {
  test.each([
    ['1h', hourMs],
    ['24h', dayMs],
    ['7d', 604_800_000],
  ] as const)('a window of the last %s ends at the time of the request', (preset, ms) => {
    expect(inputOf({ ...defaultDraft, preset })).toEqual({
      since: formatApiTime(new Date(now.getTime() - ms)),
      status: 'failed',
    });
  });

  test('pending events, and those from before the webhook was created, are sent only if chosen', () => {
    expect(inputOf({ ...defaultDraft, hasPending: true, hasEarlier: true })).toMatchObject({
      include_pending: true,
      include_earlier: true,
    });
  });

  test('a custom window is in the reader’s time zone', () => {
    expect(inputOf({ ...own, until: '2026-11-20T08:00' })).toEqual({
      since: formatApiTime(new Date(2026, 10, 19, 7)),
      until: formatApiTime(new Date(2026, 10, 20, 8)),
      status: 'all',
    });
  });

  test('without an end there is no “until”, and an end in the future is sent as it is', () => {
    expect(inputOf(own)).not.toHaveProperty('until');
    expect(inputOf({ ...own, until: '2026-11-21T08:00' })).toMatchObject({
      until: formatApiTime(new Date(2026, 10, 21, 8)),
    });
  });

  test('the fields count for a custom window only', () => {
    const since = formatApiTime(new Date(now.getTime() - hourMs));
    expect(inputOf({ ...own, preset: '1h' })).toEqual({ since, status: 'all' });
  });
});

describe('a window may start before the oldest event that is kept', () => {
  test.each([
    ['1h', false],
    ['24h', false],
    ['7d', true],
  ] as const)('if it is longer than a day: the last %s, %s', (preset, mayBe) => {
    expect(mayStartTooEarly(inputOf({ ...defaultDraft, preset }), now)).toBe(mayBe);
  });

  test('also if it is a custom one, unless that has an error', () => {
    expect(mayStartTooEarly(inputOf({ ...own, since: '2026-11-19T10:32' }), now)).toBe(false);
    expect(mayStartTooEarly(inputOf({ ...own, since: '2026-11-19T10:31' }), now)).toBe(true);
    expect(mayStartTooEarly(null, now)).toBe(false);
  });
});

test.each([
  ['a missing start', { since: '' }, /a day and a time/],
  ['a start in the future', { since: '2026-11-20T10:32' }, /in the future/],
  ['an end before the start', { until: '2026-11-19T06:59' }, /must be before the end/],
  ['an end equal to the start', { until: '2026-11-19T07:00' }, /must be before the end/],
])('%s is an error in the start', (_, part, expected) => {
  expect(validateDraft({ ...own, ...part }, now)).toEqual({
    since: expect.stringMatching(expected),
  });
});

describe('selectPreset', () => {
  test('a custom window begins where the chosen preset began', () => {
    expect(selectPreset(defaultDraft, 'custom', now)).toEqual({
      ...defaultDraft,
      preset: 'custom',
      since: '2026-11-19T10:31',
    });
  });

  test('earlier input is kept', () => {
    expect(selectPreset({ ...own, preset: '7d' }, 'custom', now)).toEqual(own);
    expect(selectPreset(own, '1h', now)).toEqual({ ...own, preset: '1h' });
  });
});
