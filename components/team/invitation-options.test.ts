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

describe('to renew an invitation,', () => {
  test.each([
    ['was mailed and is open', 'Resend', true, 5],
    ['was mailed and has expired', 'Invite again', true, -5],
    ['was not mailed and is open', 'New link', false, 5],
    ['was not mailed and has expired', 'New link', false, -5],
  ] as const)('one that %s has the button “%s”', (_, label, wasMailed, hours) => {
    const invitation = {
      role: 'admin',
      was_mailed: wasMailed,
      expires_at: inHours(hours),
    } as const;
    expect(findRenewal(invitation, { role: 'admin', now })).toBe(label);
  });

  test('one for an owner needs an owner', () => {
    const invitation = { role: 'owner', was_mailed: true, expires_at: inHours(5) } as const;
    expect(findRenewal(invitation, { role: 'owner', now })).toBe('Resend');
    expect(findRenewal(invitation, { role: 'admin', now })).toBeNull();
  });
});
