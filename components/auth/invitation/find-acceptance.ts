import type { InvitationTerms } from '#lib/contract/people/invitations.ts';

/**
 * What the page of an invitation asks for.
 *
 * - `other-person`: somebody else is signed in in this browser, who signs out first.
 * - `create-account`: name and password of somebody new.
 * - `set-password`: a new password of somebody whose address is verified by this.
 * - `sign-in`: that the person signs in.
 * - `join`: their consent, and a new password if the terms say so.
 */
export type Acceptance = 'other-person' | 'create-account' | 'set-password' | 'sign-in' | 'join';

/** @param signedIn the email of whoever is signed in in this browser; null: nobody */
export function findAcceptance(
  { email, step }: Pick<InvitationTerms, 'email' | 'step'>,
  signedIn: string | null,
): Acceptance {
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
