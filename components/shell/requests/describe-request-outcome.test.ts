import { expect, test } from 'vitest';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { describeRequestOutcome } from './describe-request-outcome.ts';

const request: RotationRequest = {
  uuid: '0198c2a4-0000-7000-8000-000000000001',
  act: 'rotate',
  target: { id: 1, uuid: '0198c2a4-0000-7000-8000-000000000002', name: 'Key', last_four: 'a1b2' },
  requested_by: { id: 'sam', name: 'Sam' },
  member: { id: 'ann', name: 'Ann' },
  reason: 'lost',
  note: null,
  state: 'open',
  created_at: '2026-11-20T11:00:00.000+00:00',
  expires_at: '2026-11-23T11:00:00.000+00:00',
  mailed_at: null,
  closed_at: null,
  closed_by: null,
  closed_because: null,
  decline: null,
};
const closed = { closed_at: '2026-11-21T11:00:00.000+00:00', closed_by: 'Ann' };

test('an open request waits for whom it names', () => {
  const { label, detail } = describeRequestOutcome(request, 'sam');
  expect([label, detail]).toEqual(['Waiting for Ann', null]);
});

test('an open request waits for "you" if it names the person who reads', () => {
  expect(describeRequestOutcome(request, 'ann').label).toBe('Waiting for you');
});

test.each<[string, string, string, Partial<RotationRequest>]>([
  ['one that is done', 'Done', 'Rotated by Ann', { state: 'done', ...closed }],
  [
    'one that is declined',
    'Declined',
    'It was not exposed. “A sandbox key.”',
    {
      state: 'declined',
      ...closed,
      decline: { reason: 'not_exposed', message: 'A sandbox key.' },
    },
  ],
  [
    'one that is declined for a reason in words',
    'Declined',
    '“It is in no use.”',
    { state: 'declined', ...closed, decline: { reason: 'other', message: 'It is in no use.' } },
  ],
  [
    'one that an owner ended by closing the account',
    'Withdrawn',
    'An owner closed the account to installation support',
    { state: 'withdrawn', ...closed, closed_because: 'closed_to_support' },
  ],
  [
    'one that is withdrawn',
    'Withdrawn',
    'By Sam',
    { state: 'withdrawn', ...closed, closed_by: 'Sam' },
  ],
  [
    'one whose member left',
    'Withdrawn',
    'Ann left the account',
    { state: 'withdrawn', ...closed, closed_because: 'member_left' },
  ],
  ['one whose key was revoked', 'Key revoked', 'By Ann', { state: 'revoked', ...closed }],
  [
    'one that expired',
    'Expired',
    'Ann did not rotate the key within 72 hours',
    { state: 'expired', closed_at: closed.closed_at },
  ],
  [
    'one whose key expired',
    'Expired',
    'The key expired',
    { state: 'expired', closed_because: 'key_expired' },
  ],
  [
    'one whose member may not',
    'Expired',
    'Ann may no longer see the token',
    { state: 'expired', closed_because: 'member_may_not' },
  ],
])('the outcome of %s is “%s”, with the detail “%s”', (_what, label, detail, change) => {
  const outcome = describeRequestOutcome({ ...request, ...change }, 'sam');
  expect([outcome.label, outcome.detail]).toEqual([label, detail]);
});
