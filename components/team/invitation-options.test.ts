import { describe, expect, test } from 'vitest';

import { hourMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';

import { findRenewal, invitationState } from './invitation-options.ts';

const now = new Date('2026-11-20T10:00:00Z');

const inHours = (hours: number) => formatApiTime(new Date(now.getTime() + hours * hourMs));

test.each([
  [72, 'open'],
  [24, 'open'],
  [23.9, 'ends-soon'],
  [0.01, 'ends-soon'],
  [0, 'expired'],
  [-100, 'expired'],
] as const)('an invitation that ends in %d hours is %s', (hours, state) => {
  expect(invitationState({ expires_at: inHours(hours) }, now)).toBe(state);
});

test('an invitation counts as open until the clock of the browser is known', () => {
  expect(invitationState({ expires_at: inHours(-100) }, null)).toBe('open');
});

describe('what renews an invitation', () => {
  test.each([
    [true, 5, 'Resend'],
    [true, -5, 'Invite again'],
    [false, 5, 'New link'],
    [false, -5, 'New link'],
  ] as const)('mailed: %s, ends in %d hours: %s', (wasMailed, hours, label) => {
    const invitation = {
      role: 'admin',
      was_mailed: wasMailed,
      expires_at: inHours(hours),
    } as const;
    expect(findRenewal(invitation, { role: 'admin', now })).toBe(label);
  });

  test('an invitation for an owner can be renewed by owners only', () => {
    const invitation = { role: 'owner', was_mailed: true, expires_at: inHours(5) } as const;
    expect(findRenewal(invitation, { role: 'owner', now })).toBe('Resend');
    expect(findRenewal(invitation, { role: 'admin', now })).toBeNull();
  });
});
