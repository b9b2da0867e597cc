import { expect, test } from 'vitest';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { describeRequestOutcome } from './describe-request-outcome.ts';

const request: RotationRequest = {
  uuid: '0198c2a4-0000-7000-8000-000000000001',
  api_key: { id: 1, uuid: '0198c2a4-0000-7000-8000-000000000002', name: 'Key', last_four: 'a1b2' },
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

test.each<[string, Partial<RotationRequest>, string, string | null]>([
  ['an open one, to whoever asked', {}, 'Waiting for Ann', null],
  ['one that is done', { state: 'done', ...closed }, 'Done', 'Rotated by Ann'],
  [
    'one that is declined',
    {
      state: 'declined',
      ...closed,
      decline: { reason: 'not_exposed', message: 'A sandbox key.' },
    },
    'Declined',
    'The token was not exposed. “A sandbox key.”',
  ],
  [
    'one that is declined for a reason in words',
    { state: 'declined', ...closed, decline: { reason: 'other', message: 'It is in no use.' } },
    'Declined',
    '“It is in no use.”',
  ],
  [
    'one that was declined by an earlier version',
    { state: 'declined', ...closed },
    'Declined',
    'By Ann',
  ],
  [
    'one that is withdrawn',
    { state: 'withdrawn', ...closed, closed_by: 'Sam' },
    'Withdrawn',
    'By Sam',
  ],
  [
    'one whose member left',
    { state: 'withdrawn', ...closed, closed_because: 'member_left' },
    'Withdrawn',
    'Ann left the account',
  ],
  ['one whose key was revoked', { state: 'revoked', ...closed }, 'Key revoked', 'By Ann'],
  [
    'one that expired',
    { state: 'expired', closed_at: closed.closed_at },
    'Expired',
    'Ann did not rotate the key within 72 hours',
  ],
  [
    'one whose key expired',
    { state: 'expired', closed_because: 'key_expired' },
    'Expired',
    'The key expired',
  ],
  [
    'one whose member may not',
    { state: 'expired', closed_because: 'member_may_not' },
    'Expired',
    'Ann may no longer see the token',
  ],
])('the outcome of %s', (_what, change, label, detail) => {
  const outcome = describeRequestOutcome({ ...request, ...change }, 'sam');
  expect([outcome.label, outcome.detail]).toEqual([label, detail]);
});

test('an open request waits for "you" if it names the person who reads', () => {
  expect(describeRequestOutcome(request, 'ann').label).toBe('Waiting for you');
});
