import { expect, test } from 'vitest';
import { describeIncidentOutcome, incidentTitle } from './describe-incident.ts';

const none = { waiting: 0, done: 0, skipped: 0, failed: 0, cancelled: 0 };

test.each([
  ['rotate', 'running', { ...none, waiting: 11, done: 1 }, 'Rotating 12 keys'],
  ['revoke', 'running', { ...none, waiting: 1 }, 'Revoking 1 key'],
  ['revoke', 'done', { ...none, done: 12 }, '12 keys revoked'],
  ['rotate', 'done', { ...none, done: 1, failed: 1 }, '1 of 2 keys rotated'],
] as const)(
  'the title of an incident to %s that is %s counts its keys',
  (act, state, counts, title) => {
    expect(incidentTitle({ act, state, counts })).toBe(title);
  },
);

test('keys that were left out are counted by reason', () => {
  const counts = { waiting: 0, done: 9, skipped: 2, failed: 1, cancelled: 3 };
  expect(describeIncidentOutcome({ act: 'rotate', state: 'cancelled', counts })).toBe(
    '9 of 15 keys rotated, 2 skipped, 1 failed, 3 cancelled',
  );
});
