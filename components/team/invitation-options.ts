import type { Invitation } from '#lib/contract/people/invitations.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import { dayMs } from '#lib/durations.ts';

/** `ends-soon`: within a day. */
export type InvitationState = 'open' | 'ends-soon' | 'expired';

/** @param now null on the server and during hydration: the browser's clock may be another */
export function invitationState(
  { expires_at: expiresAt }: Pick<Invitation, 'expires_at'>,
  now: Date | null,
): InvitationState {
  if (now === null) return 'open';
  const left = Date.parse(expiresAt) - now.getTime();
  if (left <= 0) return 'expired';
  return left < dayMs ? 'ends-soon' : 'open';
}

/**
 * The label of the button that replaces an invitation's link. Only a digest is stored of a link
 * that was not emailed, so the old link cannot be copied.
 */
export type Renewal = 'Resend' | 'Invite again' | 'New link';

/** Null: the person cannot renew it. The service decides the same. */
export function findRenewal(
  invitation: Pick<Invitation, 'role' | 'expires_at' | 'was_mailed'>,
  { role, now }: { role: Role; now: Date | null },
): Renewal | null {
  if (invitation.role === 'owner' && role !== 'owner') return null;
  if (!invitation.was_mailed) return 'New link';
  return invitationState(invitation, now) === 'expired' ? 'Invite again' : 'Resend';
}
