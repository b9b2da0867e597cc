'use client';

import { useState } from 'react';

import type { ActionFailure } from '#lib/actions/action-result.ts';
import type { InvitationTerms } from '#lib/contract/people/invitations.ts';

import { SignInForm } from '../sign-in/sign-in.tsx';
import { AcceptForm } from './accept-form.tsx';
import { findAcceptance } from './find-acceptance.ts';
import { JoinForm } from './join-form.tsx';
import { OtherPerson } from './other-person.tsx';

type AcceptanceProps = {
  token: string;
  terms: InvitationTerms;
  /** The email of whoever was signed in when the page was opened; null: nobody. */
  signedIn: string | null;
  /**
   * Handles a failure that is about the invitation: it was used, renewed or revoked, or has
   * expired.
   */
  refuse: (failure: ActionFailure) => boolean;
};

/** Who the person is, in this browser: their email, and whether they signed in on this page. */
type Person = { email: string | null; hasJustSignedIn: boolean };

/** The steps to accept an invitation. */
export function Acceptance({ token, terms, signedIn, refuse }: AcceptanceProps) {
  // Read from the page once: signing in renders the page again, and the steps advance by
  // themselves.
  const [person, setPerson] = useState<Person>({ email: signedIn, hasJustSignedIn: false });
  const [notice, setNotice] = useState<string | null>(null);
  const acceptance = findAcceptance(terms, person.email);

  switch (acceptance) {
    case 'other-person':
      return (
        <OtherPerson
          email={terms.email}
          signedIn={person.email}
          onSignedOut={() => setPerson({ email: null, hasJustSignedIn: false })}
        />
      );
    case 'create-account':
    case 'set-password':
      return (
        <AcceptForm
          token={token}
          terms={terms}
          isNew={acceptance === 'create-account'}
          refuse={refuse}
        />
      );
    case 'sign-in':
      return (
        <>
          <p role="status" className="text-pretty text-ink-2 empty:hidden">
            {notice}
          </p>
          <SignInForm
            email={terms.email}
            isEmailFixed
            label={terms.needs_new_password ? 'Sign in' : 'Sign in and join'}
            onSignedIn={() => setPerson({ email: terms.email, hasJustSignedIn: true })}
          />
        </>
      );
    case 'join':
      return (
        <JoinForm
          token={token}
          terms={terms}
          joinsAtOnce={person.hasJustSignedIn && !terms.needs_new_password}
          refuse={refuse}
          onSignInNeeded={(reason) => {
            setNotice(reason);
            setPerson({ email: null, hasJustSignedIn: false });
          }}
        />
      );
  }
}
