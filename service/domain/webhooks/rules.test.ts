import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { isDueForDeactivation, planRegeneration } from './rules.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const aDay = { now, graceSeconds: 86_400 };
const shown = { shownTo: { kind: 'person' } };

describe('regenerating a signing secret', () => {
  const secrets = (...ends: (Date | null)[]) =>
    ends.map((validUntil, index) => ({ ...shown, uuid: 'ba'.charAt(index), validUntil }));
  const signsADay = { removed: [], newestSignsUntil: after(86_400) };

  test.each<[what: string, ends: (Date | null)[], graceSeconds: number, plan: object]>([
    [
      'lets the replaced secret sign for the grace period',
      [null],
      86_400,
      { ...signsADay, wasShown: true, ends: { previous: after(86_400), last: after(86_400) } },
    ],
    [
      'with a grace period of 0 removes every older secret',
      [null, after(60)],
      0,
      { removed: ['b', 'a'], newestSignsUntil: null, ends: { previous: null, last: null } },
    ],
    ['a second time ends no secret in its grace period', [null, after(60)], 86_400, signsADay],
    [
      'tells the end of the replaced secret from that of an older one which signs for longer',
      [null, after(3600)],
      60,
      { ends: { previous: after(60), last: after(3600) } },
    ],
    ['removes secrets whose grace period has ended', [null, now], 86_400, { removed: ['a'] }],
  ])('%s', (_what, ends, graceSeconds, plan) => {
    const regenerated = planRegeneration(secrets(...ends), { now, graceSeconds });
    expect(regenerated).toMatchObject({ kind: 'regenerate', ...plan });
  });

  test('lets a secret that nobody was shown sign for the grace period too', () => {
    const sealed = { uuid: 'a', validUntil: null, shownTo: null };
    const plan = { ...signsADay, wasShown: false };
    expect(planRegeneration([sealed], aDay)).toMatchObject(plan);
  });

  describe('when four secrets sign already', () => {
    const four = [null, after(60), after(120), after(180)].map((validUntil, index) => ({
      ...shown,
      uuid: 'dcba'.charAt(index),
      validUntil,
    }));

    test('is refused with the time at which the first of the older ones ends', () => {
      const plan = planRegeneration(four, { now, graceSeconds: 10 });
      expect(plan).toEqual({ kind: 'too_many', firstEnd: after(60) });
    });

    test.each([
      [0, { previous: after(60), last: after(180) }],
      [1, { previous: after(86_400), last: after(86_400) }],
      [3, { previous: after(86_400), last: after(86_400) }],
    ])('drops number %i instead, if nobody was shown it', (unseen, ends) => {
      const seen = four.map((secret, index) =>
        index === unseen ? { ...secret, shownTo: null } : secret,
      );
      expect(planRegeneration(seen, aDay)).toMatchObject({
        kind: 'regenerate',
        removed: [four[unseen]?.uuid],
        ends,
      });
    });

    test('ends all of them with a grace period of 0', () => {
      const plan = planRegeneration(four, { now, graceSeconds: 0 });
      expect(plan).toMatchObject({ kind: 'regenerate', removed: ['d', 'c', 'b', 'a'] });
    });
  });
});

const since = (ms: number) => new Date(now.getTime() - ms);

test.each([
  ['after 5 days and 10 failures', { failureCount: 10, failingSince: since(5 * dayMs) }, true],
  ['not a moment before', { failureCount: 99, failingSince: since(5 * dayMs - 1) }, false],
  ['not after fewer failures', { failureCount: 9, failingSince: since(9 * dayMs) }, false],
  ['not while it works', { failureCount: 0, failingSince: null }, false],
])('a webhook is deactivated %s', (_when, webhook, isDue) => {
  expect(isDueForDeactivation(webhook, now)).toBe(isDue);
});
