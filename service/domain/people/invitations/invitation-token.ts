import { createHash, randomBytes } from 'node:crypto';
import { invitationHours } from '#lib/contract/people/invitations.ts';
import { invalid } from '../../errors.ts';
import type { ServiceError } from '../../errors.ts';

/** 256 random bits, in letters that stand in a URL as they are. */
export function newInvitationToken(): string {
  return randomBytes(32).toString('base64url');
}

export function digestInvitationToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function invitationEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + invitationHours * 3_600_000);
}

/** One answer for a wrong, used, renewed, revoked and expired token. */
export function spentInvitation(): ServiceError {
  return invalid(
    'invitation_token',
    'This invitation is no longer valid. Ask whoever invited you for a new one.',
  );
}
