import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { isDueForDeactivation, planRegeneration } from './rules.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const aDay = { now, graceSeconds: 86_400 };
const shown = { shownTo: { kind: 'person' } };

describe('regenerating a signing secret', () => {
  test('lets the replaced secret sign for the grace period', () => {
    const plan = planRegeneration([{ ...shown, uuid: 'a', validUntil: null }], aDay);
    expect(plan).toMatchObject({
      wasShown: true,
      removed: [],
      newestSignsUntil: after(86_400),
      ends: { previous: after(86_400), last: after(86_400) },
    });
  });

  test('lets a secret that nobody was shown sign for the grace period too', () => {
    const sealed = { uuid: 'a', validUntil: null, shownTo: null };
    expect(planRegeneration([sealed], aDay)).toMatchObject({
      wasShown: false,
      removed: [],
      ends: { previous: after(86_400), last: after(86_400) },
    });
  });

  test('with a grace period of 0 removes every older secret', () => {
    const plan = planRegeneration(
      [
        { ...shown, uuid: 'b', validUntil: null },
        { ...shown, uuid: 'a', validUntil: after(60) },
      ],
      { now, graceSeconds: 0 },
    );
    expect(plan).toEqual({
      kind: 'regenerate',
      wasShown: true,
      removed: ['b', 'a'],
      newestSignsUntil: null,
      ends: { previous: null, last: null },
    });
  });

  test('a second time does not end a secret in its grace period', () => {
    const plan = planRegeneration(
      [
        { ...shown, uuid: 'b', validUntil: null },
        { ...shown, uuid: 'a', validUntil: after(60) },
      ],
      aDay,
    );
    expect(plan).toMatchObject({ removed: [], newestSignsUntil: after(86_400) });
  });

  test('tells the end of the replaced secret from that of an older one which signs for longer', () => {
    const plan = planRegeneration(
      [
        { ...shown, uuid: 'b', validUntil: null },
        { ...shown, uuid: 'a', validUntil: after(3600) },
      ],
      { now, graceSeconds: 60 },
    );
    expect(plan).toMatchObject({ ends: { previous: after(60), last: after(3600) } });
  });

  test('removes secrets whose grace period has ended', () => {
    const plan = planRegeneration(
      [
        { ...shown, uuid: 'b', validUntil: null },
        { ...shown, uuid: 'a', validUntil: now },
      ],
      aDay,
    );
    expect(plan).toMatchObject({ removed: ['a'] });
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
      const secrets = four.map((secret, index) =>
        index === unseen ? { ...secret, shownTo: null } : secret,
      );
      expect(planRegeneration(secrets, aDay)).toMatchObject({
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
