import type { InvitationTerms } from '#lib/contract/people/invitations.ts';

/**
 * What the page of an invitation asks for.
 *
 * - `other-person`: another person is signed in in this browser and must sign out first.
 * - `create-account`: a new person gives a name and a password.
 * - `set-password`: a person chooses a new password, and accepting verifies their address.
 * - `sign-in`: the person signs in.
 * - `join`: the person agrees, and chooses a new password if the terms say so.
 */
export type AcceptanceStep =
  | 'other-person'
  | 'create-account'
  | 'set-password'
  | 'sign-in'
  | 'join';

/** @param signedIn the email of whoever is signed in in this browser; null: nobody */
export function findAcceptance(
  { email, step }: Pick<InvitationTerms, 'email' | 'step'>,
  signedIn: string | null,
): AcceptanceStep {
  if (signedIn !== null && signedIn !== email) return 'other-person';
  switch (step) {
    case 'create_account':
      return 'create-account';
    case 'set_password':
      return 'set-password';
    case 'sign_in':
      return signedIn === null ? 'sign-in' : 'join';
  }
}
