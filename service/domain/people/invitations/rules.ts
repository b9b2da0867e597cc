import { invitationHours } from '#lib/contract/people/invitations.ts';
import { hourMs } from '#lib/durations.ts';
import { invalid } from '../../errors.ts';
import type { ServiceError } from '../../errors.ts';

export function invitationEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + invitationHours * hourMs);
}

/** The same error for a wrong, used, renewed, revoked and expired token. */
export function invalidInvitationError(): ServiceError {
  return invalid(
    'invitation_token',
    'This invitation is no longer valid. Ask whoever invited you for a new one.',
  );
}
